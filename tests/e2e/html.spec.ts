import { HtmlValidate } from 'html-validate';
import { addressOf, ROUTES, takeFreeCourse } from './addresses.ts';
import { expect, test } from './fixtures.ts';

// The standard, and nothing of taste.
const validator = new HtmlValidate({
  extends: ['html-validate:standard', 'html-validate:document'],
  elements: ['html5', { 'astro-island': { flow: true, phrasing: true, transparent: true } }],
  rules: {
    // React's generated ids begin with a character that only old style sheets stumbled over.
    'valid-id': ['error', { relaxed: true }],
    'no-inline-style': 'off',
    'require-sri': 'off',
    'long-title': 'off',
  },
});

test.describe('the HTML of every page is valid', () => {
  test.skip(({ isMobile }) => isMobile, 'the same HTML goes to every screen');

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
        const report = await validator.validateString(await answer.text());
        for (const { messages } of report.results) {
          for (const { ruleId, message, line, selector } of messages) {
            findings.push(`${path} line ${line}: ${ruleId}: ${message} (${selector})`);
          }
        }
      }
      expect(checked).toBeGreaterThan(25);
      expect(findings).toEqual([]);
    });
  }
});
