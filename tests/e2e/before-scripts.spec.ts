import type { Page } from '@playwright/test';
import { PAGES } from '../support/routes.ts';
import { addressOf, ROUTES } from './addresses.ts';
import { STUDENT, signIn } from './admin-session.ts';
import { expect, test } from './fixtures.ts';

// Pages that are refused, and empty forms that are posted, say so in the console.
test.use({ allowed: [/status of 4\d\d/] });

/** Opens a page whose scripts wait until the returned function is called. */
async function openAsleep(page: Page, path: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(/\.js(\?|$)/, async (route) => {
    await promise;
    await route.continue();
  });
  await page.goto(path, { waitUntil: 'commit' });
  await page.waitForFunction(() => document.readyState === 'interactive');
  return resolve;
}

/** What can be used in islands that have not woken, and the forms there. */
const usable = (page: Page) =>
  page.evaluate(() => {
    const controls = [
      ...document.querySelectorAll<HTMLButtonElement>(
        '[ssr] :is(button, input, select, textarea):enabled:not([type=hidden], [command]), button[ssr]:enabled',
      ),
    ];
    const isPosted = ({ form, type }: HTMLButtonElement) =>
      form?.method === 'post' && form.hasAttribute('action') && type !== 'button';
    const others = document.querySelectorAll('[ssr] :is([contenteditable], [role=button]:not(button))');
    return {
      lost: [...controls.filter((one) => !isPosted(one)), ...others].map(({ outerHTML }) => outerHTML),
      actions: [...new Set(controls.filter(isPosted).map(({ form }) => form!.action))],
    };
  });

async function comeThrough(page: Page): Promise<void> {
  await page.mouse.move(9, 9);
  await page.mouse.move(19, 19);
  await page.evaluate(async () => {
    for (let y = 0; y < document.documentElement.scrollHeight; y += innerHeight / 2) {
      scrollTo({ top: y, behavior: 'instant' });
      await new Promise((done) => setTimeout(done, 50));
    }
  });
}

for (const [person, email] of [
  ['a visitor', null],
  ['a learner', STUDENT],
] as const)
  for (const route of ROUTES.filter((one) => (PAGES[one] ?? 'everybody') === 'everybody'))
    test(`what ${person} can use on ${route} before its scripts works without them, and all of it with them`, async ({
      page,
    }) => {
      if (email) await signIn(page, email);
      const wake = await openAsleep(page, await addressOf(route, page.request));
      const { lost, actions } = await usable(page);
      expect(lost).toEqual([]);
      for (const action of actions) {
        const answer = await page.request.post(action, {
          form: {},
          headers: { origin: new URL(action).origin },
        });
        expect([404, 405, 500], action).not.toContain(answer.status());
      }
      wake();
      await page.waitForLoadState();
      await comeThrough(page);
      await expect(page.locator('[data-asleep]').filter({ visible: true })).toHaveCount(0);
    });

test('a field that waits for its script looks ready, and takes text once it is', async ({ page }) => {
  const wake = await openAsleep(page, '/forgot-password');
  const field = page.getByLabel('Email');
  const looks = () =>
    field.evaluate((one) => [getComputedStyle(one).backgroundColor, getComputedStyle(one).color]);
  await expect(field).toBeDisabled();
  const before = await looks();
  wake();
  await field.fill('student@example.com');
  await page.locator('h1').click();
  await expect.poll(looks).toEqual(before);
});
