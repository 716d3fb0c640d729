import { addressOf, ROUTES, takeFreeCourse } from './addresses.ts';
import { expect, test } from './fixtures.ts';
import { htmlFindings } from './valid-html.ts';

test.describe('the HTML of every page is valid', () => {
  for (const [who, email] of [
    ['a visitor', null],
    ['a student', 'student@example.com'],
    ['an administrator', 'admin@example.com'],
  ] as const) {
    test(`for ${who}`, async ({ request }) => {
      test.setTimeout(120_000);
      if (email) {
        const answer = await request.post('/api/auth/login', { data: { email, password: 'learn-demo' } });
        expect(answer.status()).toBe(200);
      }
      if (email === 'student@example.com') await takeFreeCourse(request);
      const findings: string[] = [];
      let checked = 0;
      for (const route of ROUTES) {
        const path = await addressOf(route, request);
        const answer = await request.get(path);
        expect(answer.status(), path).toBeLessThan(500);
        if (!answer.headers()['content-type']?.startsWith('text/html')) continue;
        checked += 1;
        findings.push(...(await htmlFindings(path, await answer.text())));
      }
      expect(checked).toBeGreaterThan(25);
      expect(findings).toEqual([]);
    });
  }
});
