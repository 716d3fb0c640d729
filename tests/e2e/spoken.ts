import { buildSync } from 'esbuild';
import type { Page } from '@playwright/test';
import { expect } from './fixtures.ts';

let source: string | undefined;

/** The simulated screen reader as one script; run like the test's own code, which no page's policy stops. */
function readerSource(): string {
  source ??= buildSync({
    stdin: {
      contents: `import { virtual } from '@guidepup/virtual-screen-reader/browser.js'; globalThis.screenReader = virtual;`,
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    format: 'iife',
    write: false,
  }).outputFiles[0]!.text;
  return source;
}

type Reader = {
  start(options: { container: Node }): Promise<void>;
  next(): Promise<void>;
  stop(): Promise<void>;
  lastSpokenPhrase(): Promise<string>;
  spokenPhraseLog(): Promise<string[]>;
};

/**
 * What a screen reader says of a part of a page, phrase by phrase, to somebody who reads on from its beginning.
 *
 * @param selector of the part
 */
export async function spokenBy(page: Page, selector = 'main'): Promise<string[]> {
  // A control that waits for its script is read as disabled.
  await expect(page.locator('astro-island[ssr]:not([client=visible]) [data-asleep]')).toHaveCount(0);
  await page.evaluate(readerSource());
  return page.evaluate(async (wanted) => {
    const reader = (globalThis as unknown as { screenReader: Reader }).screenReader;
    await reader.start({ container: document.querySelector(wanted)! });
    const first = await reader.lastSpokenPhrase();
    for (let steps = 0; steps < 500; steps += 1) {
      await reader.next();
      // Behind the end it begins anew.
      if ((await reader.lastSpokenPhrase()) === first) break;
    }
    const phrases = await reader.spokenPhraseLog();
    await reader.stop();
    return phrases.slice(0, -1).map((phrase) => phrase.replaceAll('\u00a0', ' '));
  }, selector);
}

/** That these phrases are spoken, in this order; others may stand between them. */
export function expectInOrder(phrases: string[], wanted: string[]): void {
  let from = 0;
  for (const phrase of wanted) {
    const at = phrases.indexOf(phrase, from);
    expect(at, `“${phrase}” after “${phrases[from - 1]}” in:\n${phrases.join('\n')}`).toBeGreaterThanOrEqual(
      0,
    );
    from = at + 1;
  }
}
