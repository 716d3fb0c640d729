import { addressOf, ROUTES, takeFreeCourse } from './addresses.ts';
import { ADMIN, STUDENT, signIn } from './admin-session.ts';
import { expect, test } from './fixtures.ts';

// The browser itself says what the content security policy stops: every page, as somebody who sees all of it.
test.describe('no page breaks its own content security policy', () => {
  // Pages that are refused say so in the console.
  test.use({ allowed: [/status of 4\d\d/] });

  for (const [name, who] of [
    ['a visitor', null],
    ['a student', STUDENT],
    ['an administrator', ADMIN],
  ] as const) {
    test(`for ${name}`, async ({ page }) => {
      test.setTimeout(240_000);
      if (who) await signIn(page, who);
      if (who === STUDENT) await takeFreeCourse(page.request);
      const stopped: string[] = [];
      await page.exposeFunction('toldStopped', (what: string) => stopped.push(what));
      await page.addInitScript(() => {
        document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
          const { toldStopped } = window as unknown as { toldStopped: (what: string) => void };
          toldStopped(`${location.pathname}: ${effectiveDirective} ${blockedURI}`);
        });
      });
      for (const route of ROUTES) {
        const path = await addressOf(route, page.request);
        // Some pages lead on by script as soon as they are there, and would cut off what is loaded next.
        await expect(() => page.goto(path, { waitUntil: 'load' })).toPass({ timeout: 20_000 });
      }
      expect(stopped).toEqual([]);
    });
  }
});
