import { PAGES } from '../support/routes.ts';
import { addressOf, ROUTES, takeFreeCourse } from './addresses.ts';
import { ADMIN, STUDENT, signIn } from './admin-session.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './fixtures.ts';

// Every page on every screen, as the first who may open it: what leads somewhere else is looked at where it leads.
const accessOf = (route: string) => PAGES[route === '' ? '/' : route] ?? 'everybody';

/** Pages that everybody may open, with more on them for a learner. */
const FULLER_FOR_LEARNERS = new Set([
  '/learn/[id]',
  '/my-courses',
  '/lesson/[id]',
  '/scenario/[id]',
  '/orders/[id]',
  '/orders/[id]/invoice',
  '/courses/[id]',
]);

test.describe('every page fits the screen and can be read aloud', () => {
  // Pages that are refused say so in the console.
  test.use({ allowed: [/status of 40[134]/] });

  for (const [name, who, opens] of [
    ['a visitor', null, (route: string) => accessOf(route) === 'everybody'],
    [
      'a student',
      STUDENT,
      (route: string) => accessOf(route) === 'signed-in' || FULLER_FOR_LEARNERS.has(route),
    ],
    ['an administrator', ADMIN, (route: string) => accessOf(route) === 'admin'],
  ] as const) {
    test(`for ${name}`, { tag: '@phone' }, async ({ page }) => {
      test.setTimeout(300_000);
      if (who) await signIn(page, who);
      if (who === STUDENT) await takeFreeCourse(page.request);
      const routes = ROUTES.filter(opens);
      expect(routes.length).toBeGreaterThan(5);
      for (const route of routes) {
        await test.step(route, async () => {
          const path = await addressOf(route, page.request);
          // Some pages lead on by script as soon as they are there, which cuts off what comes next.
          await expect(() => page.goto(path, { waitUntil: 'load' })).toPass({ timeout: 20_000 });
          await expect(async () => {
            await expectNoOverflow(page);
            await expectAccessible(page);
          }).toPass({ timeout: 30_000 });
        });
      }
    });
  }
});
