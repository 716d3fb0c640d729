import { createHash } from 'node:crypto';
import AxeBuilder from '@axe-core/playwright';
import { expect, test as base } from '@playwright/test';

// A click that overtakes a navigation ends its transition; the browser reports that as an error of the page's.
const OVERTAKEN = /^uncaught: Transition was (aborted|skipped)/;

/**
 * Tests fail on anything the browser complains about: script errors, failed requests of our own, blocked content.
 * `allowed` takes patterns of complaints that a test provokes.
 */
export const test = base.extend<{ allowed: RegExp[]; complaints: string[] }>({
  // Every test is a visitor with an address of its own: limits by address are for one person, not for a whole suite.
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants a pattern here
  extraHTTPHeaders: async ({}, use, info) => {
    const [a, b, c] = createHash('sha256').update(`${info.testId} ${info.retry}`).digest();
    await use({ 'x-forwarded-for': `10.${a}.${b}.${c}` });
  },
  allowed: [[], { option: true }],
  complaints: [
    async ({ page, allowed }, use) => {
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`));
      page.on('console', (message) => {
        if (message.type() === 'error')
          complaints.push(`console: ${message.text()} ${message.location().url}`);
      });
      page.on('response', (response) => {
        if (response.status() >= 500) complaints.push(`${response.status()} ${response.url()}`);
      });
      await use(complaints);
      expect(
        complaints.filter((text) => ![OVERTAKEN, ...allowed].some((pattern) => pattern.test(text))),
      ).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

/** Checks the page as it stands against WCAG 2.2 AA. */
export async function expectAccessible(page: import('@playwright/test').Page): Promise<void> {
  // What is still fading in has the contrast of neither its beginning nor its end.
  await page.evaluate(async () => {
    const passing = document
      .getAnimations()
      .filter((one) => one.playState === 'running' && one.timeline instanceof DocumentTimeline)
      .filter((one) => one.effect?.getTiming().iterations === 1);
    await Promise.race([
      Promise.all(passing.map((one) => one.finished.catch(() => {}))),
      new Promise((done) => setTimeout(done, 2000)),
    ]);
  });
  // Wherever a test left the page, the sticky header may cover half a link, which would count as a small target.
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  const { violations } = await new AxeBuilder({ page })
    // Frames need another page to put their results together; without any, this page gives the same ones itself.
    .setLegacyMode(page.frames().length === 1)
    .options({
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      resultTypes: ['violations'],
    })
    .analyze();
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`),
  ).toEqual([]);
}

/** Checks that nothing sticks out of the page sideways. */
export async function expectNoOverflow(page: import('@playwright/test').Page): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBeLessThanOrEqual(0);
}
