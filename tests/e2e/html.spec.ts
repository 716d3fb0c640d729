import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import type { APIRequestContext } from '@playwright/test';
import { HtmlValidate } from 'html-validate';
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

const pagesFolder = resolve(import.meta.dirname, '../../src/pages');

/** Routes of every page file, `[id]` still in them. */
const ROUTES = globSync('**/*.astro', { cwd: pagesFolder })
  .map((file) => `/${file.replace(/(^|\/)index\.astro$/, '').replace(/\.astro$/, '')}`)
  .filter((route) => !route.startsWith('/dev/'))
  .sort();

type Ids = Record<string, (request: APIRequestContext) => Promise<string | number>>;

const firstCourse = async (request: APIRequestContext) =>
  (await (await request.get('/api/courses?pageSize=1')).json())[0].id as number;

/** A course of the demo student; everybody else has no access to it, which is a page too. */
const firstEnrolled = async (request: APIRequestContext) => {
  const answer = await request.get('/api/enrollments');
  return answer.ok() ? ((await answer.json())[0]?.courseId ?? 1) : 1;
};

/** What stands for `[id]` and the like; a new page with a parameter belongs here. */
const PARAMETERS: Ids = {
  '/buy/[id]': firstCourse,
  '/course/[id]': firstCourse,
  '/courses/[id]': firstCourse,
  '/courses/[id]/checkout': firstCourse,
  '/learn/[id]': firstEnrolled,
};

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
      const findings: string[] = [];
      let checked = 0;
      for (const route of ROUTES) {
        const parameter = PARAMETERS[route];
        if (route.includes('[') && !parameter) throw new Error(`${route} needs an entry in PARAMETERS`);
        const path = parameter ? route.replace(/\[[^\]]+\]/, String(await parameter(request))) : route;
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
