import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import { expect } from './fixtures.ts';

// Besides axe, IBM's engine: it knows other rules, and reads the same ones otherwise.
const engine = readFileSync(
  createRequire(import.meta.url).resolve('accessibility-checker-engine/ace.js'),
  'utf8',
);

/** Where the engine errs, and why. */
const MISTAKEN = new Set([
  // A form without a name is no landmark, and nobody goes from one article to the next by role: headings name them.
  'aria_form_label_unique',
  'aria_article_label_unique',
  // The standard lets a field of type email be completed as a user name.
  'input_autocomplete_valid',
  // A radio button that is drawn as a star names itself; that every field has a name, axe says.
  'label_content_exists',
]);

type Result = {
  ruleId: string;
  value: [string, string];
  message: string;
  snippet: string;
  path: { dom: string };
};

/**
 * What the engine is certain is wrong in a page; what it only asks people to look at is left out. The page must stand
 * still: what fades in as one scrolls has no contrast before.
 */
export async function secondJudgeFindings(page: Page): Promise<string[]> {
  // Run like the test's own code, which no page's policy stops.
  await page.evaluate(`globalThis.ace ?? (() => { ${engine}; globalThis.ace = ace; })()`);
  const results = await page.evaluate(async () => {
    const { ace } = globalThis as unknown as {
      ace: { Checker: new () => { check(doc: Document, rules: string[]): Promise<{ results: Result[] }> } };
    };
    // The engine takes the label of a folded field for none, and the field for shown; it judges what is unfolded.
    const isFolded = (path: string) => {
      const found = document.evaluate(
        // XPath knows no shadow trees, such as that of the card fields: what is in one is as folded as its host.
        path.split('/#document-fragment')[0]!,
        document,
        null,
        XPathResult.FIRST_ORDERED_NODE_TYPE,
      ).singleNodeValue;
      const element = found instanceof Element ? found : null;
      return element?.closest('summary') === null && element.closest('details:not([open])') !== null;
    };
    return (await new ace.Checker().check(document, ['WCAG_2_2'])).results
      .filter(({ path }) => !isFolded(path.dom))
      .map(({ ruleId, value, message, snippet }) => ({ ruleId, value, message, snippet }));
  });
  expect(results.length).toBeGreaterThan(50);
  return results
    .filter(({ value: [level, outcome] }) => level === 'VIOLATION' && outcome === 'FAIL')
    .filter(({ ruleId }) => !MISTAKEN.has(ruleId))
    .map(({ ruleId, message, snippet }) => `${ruleId}: ${message} ${snippet.slice(0, 160)}`);
}
