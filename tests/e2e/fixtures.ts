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

/** Checks that each id is there once, and that whatever names an id names one that is there. */
export async function expectSoundIds(page: import('@playwright/test').Page): Promise<void> {
  const findings = await page.evaluate(() => {
    const told = ({ tagName, outerHTML }: Element) => `${tagName.toLowerCase()} ${outerHTML.slice(0, 120)}`;
    const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
    const doubled = ids.filter((id, place) => ids.indexOf(id) !== place).map((id) => `twice: ${id}`);
    const aria = [
      'labelledby',
      'describedby',
      'controls',
      'owns',
      'activedescendant',
      'details',
      'errormessage',
    ];
    const names = [...aria.map((name) => `aria-${name}`), 'for', 'headers', 'commandfor', 'popovertarget'];
    const lost = names.flatMap((name) =>
      [...document.querySelectorAll(`[${name}]`)].flatMap((element) => {
        // What is closed may not be there yet.
        if (name === 'aria-controls' && element.getAttribute('aria-expanded') === 'false') return [];
        const named = element.getAttribute(name)!.split(/\s+/).filter(Boolean);
        const missing = named.filter((id) => !document.getElementById(id));
        return missing.map((id) => `${name} names ${id}, which is not there: ${told(element)}`);
      }),
    );
    return [...doubled, ...lost];
  });
  expect(findings).toEqual([]);
}

/** What sticks out of the page sideways, where it can be scrolled there. */
const stickingOut = (page: import('@playwright/test').Page) =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const wide = [...document.querySelectorAll('body *')].filter(
      (one) => one.checkVisibility() && one.getBoundingClientRect().right > clientWidth + 1,
    );
    const told = wide.slice(0, 5).map(({ outerHTML }) => outerHTML.slice(0, 120));
    return [`${scrollWidth - clientWidth} pixels of ${clientWidth}`, ...told];
  });

/**
 * Checks that nothing sticks out of the page sideways. A page is looked at again while it may still be taking the shape of
 * a screen that has just become smaller: what is wrong stays wrong.
 */
export async function expectNoOverflow(page: import('@playwright/test').Page): Promise<void> {
  await expect.poll(() => stickingOut(page)).toEqual([]);
}

/** Checks the same on the smallest screen there is, which is also a large one at four times its size (WCAG 1.4.10). */
export async function expectNoOverflowWhenNarrow(page: import('@playwright/test').Page): Promise<void> {
  const usual = page.viewportSize()!;
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoOverflow(page);
  await page.setViewportSize(usual);
}
