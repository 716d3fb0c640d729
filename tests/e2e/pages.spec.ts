import { PAGES } from '../support/routes.ts';
import type { Page } from '@playwright/test';
import { addressOf, ROUTES, takeFreeCourse } from './addresses.ts';
import { ADMIN, STUDENT, signIn } from './admin-session.ts';
import {
  expect,
  expectAccessible,
  expectNoOverflow,
  expectNoOverflowWhenNarrow,
  expectSoundIds,
  test,
} from './fixtures.ts';
import { PAGE_STATES } from './page-states.ts';
import { secondJudgeFindings } from './second-judge.ts';
import { htmlFindings } from './valid-html.ts';

// Every page by its file, so that a new one cannot be forgotten: as valid HTML and within its own security policy for
// each who may open it; on both screens, for two judges of accessibility, as the first of them.
const accessOf = (route: string) => PAGES[route === '' ? '/' : route] ?? 'everybody';

/** Pages that everybody may open, with more on them for a learner. */
const FULLER_FOR_LEARNERS = new Set([
  '/cart',
  '/learn/[id]',
  '/my-courses',
  '/lesson/[id]',
  '/course/[id]/steps',
  '/scenario/[id]',
  '/orders/[id]',
  '/orders/[id]/invoice',
  '/courses/[id]',
]);

/** Other addresses of pages that are in the table themselves. */
const SECOND_ADDRESSES = new Set(['/course/[id]', '/courses/[id]/checkout']);

const PEOPLE = [
  ['a visitor', null, (route: string) => accessOf(route) === 'everybody'],
  [
    'a student',
    STUDENT,
    (route: string) => accessOf(route) === 'signed-in' || FULLER_FOR_LEARNERS.has(route),
  ],
  ['an administrator', ADMIN, (route: string) => accessOf(route) === 'admin'],
] as const;

/** What the browser itself says that a page's policy stopped; to be asked for before the first page. */
async function stoppedByPolicy(page: Page): Promise<string[]> {
  const stopped: string[] = [];
  await page.exposeFunction('toldStopped', (what: string) => stopped.push(what));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
      const { toldStopped } = window as unknown as { toldStopped: (what: string) => void };
      toldStopped(`${location.pathname}: ${effectiveDirective} ${blockedURI}`);
    });
  });
  return stopped;
}

/** A page is judged again while its scripts may still be drawing it: what is wrong stays wrong. */
async function judgeAsItStands(page: Page): Promise<void> {
  await expect(async () => {
    await expectNoOverflow(page);
    await expectSoundIds(page);
    await expectAccessible(page);
  }).toPass({ timeout: 60_000 });
}

/** The second judge takes its time with a long page on a busy machine, and an editor may take the place of its field meanwhile. */
async function expectSecondJudgeAgrees(page: Page): Promise<void> {
  await expect(async () => expect(await secondJudgeFindings(page)).toEqual([])).toPass({ timeout: 120_000 });
}

/** As a phone shows the same page in the dark theme. */
async function judgeDarkAndSmall(page: Page): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await judgeAsItStands(page);
}

// Pages that are refused say so in the console.
test.use({ allowed: [/status of 4\d\d/] });

test.describe('every page is valid, within its policy, fits the screen and can be read aloud', () => {
  for (const [name, who, isFirst] of PEOPLE) {
    test(`for ${name}`, { tag: '@phone' }, async ({ page, isMobile }) => {
      test.setTimeout(900_000);
      if (who) await signIn(page, who);
      if (who === STUDENT) await takeFreeCourse(page.request);
      const stopped = await stoppedByPolicy(page);
      let opened = 0;
      for (const route of isMobile ? ROUTES.filter(isFirst) : ROUTES) {
        await test.step(route, async () => {
          const path = await addressOf(route, page.request);
          const answer = await page.request.get(path);
          expect(answer.status()).toBeLessThan(500);
          // What leads to another page is looked at there; `page-roles` says who is led where.
          if (new URL(answer.url()).pathname !== path.split('?')[0]) return;
          opened += 1;
          // A small screen gets the same HTML.
          if (!isMobile) expect(await htmlFindings(path, await answer.text())).toEqual([]);
          // Some pages lead on by script as soon as they are there, which cuts off what comes next.
          await expect(() => page.goto(path, { waitUntil: 'load' })).toPass({ timeout: 20_000 });
          if (!isFirst(route) || SECOND_ADDRESSES.has(route)) return;
          await judgeAsItStands(page);
          // A small screen gets the same elements.
          if (isMobile) return;
          await expectSecondJudgeAgrees(page);
          await expectNoOverflowWhenNarrow(page);
        });
      }
      expect(opened).toBeGreaterThan(isMobile ? 5 : 25);
      expect(stopped).toEqual([]);
    });
  }
});

test.describe('so is', () => {
  for (const { name, as, isBrief, open } of PAGE_STATES) {
    test(name, async ({ page }) => {
      if (as) await signIn(page, as);
      const stopped = await stoppedByPolicy(page);
      const answers: Promise<[path: string, html: string | null]>[] = [];
      page.on('response', (answer) => {
        const isPage =
          answer.headers()['content-type']?.startsWith('text/html') && [200, 404].includes(answer.status());
        if (!isPage || isBrief) return;
        // The browser forgets the text of a page that leads on at once; where it leads is judged.
        const html = answer.text().catch(() => null);
        answers.push(html.then((text) => [new URL(answer.url()).pathname, text]));
      });
      const usual = page.viewportSize()!;
      await open(page, async () => {
        await judgeAsItStands(page);
        await judgeDarkAndSmall(page);
        await page.emulateMedia({ colorScheme: 'light' });
        await page.setViewportSize(usual);
      });
      await judgeAsItStands(page);
      if (!isBrief) {
        const pages = await Promise.all(answers);
        expect(pages.at(-1)?.[1]).toBeTruthy();
        for (const [path, html] of pages) {
          if (html !== null) expect(await htmlFindings(path, html)).toEqual([]);
        }
        await expectSecondJudgeAgrees(page);
        await expectNoOverflowWhenNarrow(page);
      }
      await judgeDarkAndSmall(page);
      expect(stopped).toEqual([]);
    });
  }
});
