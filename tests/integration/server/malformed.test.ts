import type { APIRoute } from 'astro';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourse, makeLesson, makeUser } from '../../support/factories.ts';
import { rateLimits } from '#db/schema/machinery.ts';
import { startJudge, stopJudge } from '#src/judge/client.ts';
import { type Answer, callRoute, signIn } from '../../support/api.ts';
import { type Payments, startPayments } from '../../support/payments.ts';
import { ENDPOINTS, isForTeam } from '../../support/routes.ts';
import { validBodies } from '../../support/valid-bodies.ts';

// Every endpoint is given what no page of ours sends: wrong types, wrong sizes, wrong characters, in one field of its body
// at a time (the others are right, so that none of them answers first), in its path and in its query. It may refuse in any
// way but one: by failing. A refusal for a field names that field.
const found = import.meta.glob<Record<string, unknown>>('../../../src/pages/**/*.ts', { eager: true });
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

const ROUTES = Object.entries(found).flatMap(([file, module]) => {
  const path = file.replace('../../../src/pages', '').replace(/\.ts$/, '');
  return METHODS.filter((method) => method in module && `${method} ${path}` in ENDPOINTS).map((method) => ({
    name: `${method} ${path}`,
    method,
    path,
    route: module[method] as APIRoute,
    names: [...path.matchAll(/\[(?:\.\.\.)?(\w+)\]/g)].map(([, name]) => name!),
  }));
});

const VALUES: [string, unknown][] = [
  ['nothing', null],
  ['a truth', true],
  ['a negative', -1],
  ['a fraction', 1.5],
  ['beyond int4', 2_147_483_648],
  ['beyond everything', 1e308],
  ['an empty text', ''],
  ['blanks', ' \t\n\u00a0\u200b'],
  ['NUL', 'a\0b'],
  ['half a character', 'a\ud800b'],
  ['other directions', '\u202Eadmin\u2066'],
  ['markup', '<img src=x onerror=alert(1)>'],
  ['SQL', `'; drop table users; --`],
  ['a regular expression', '(a+)+$^[\\'],
  ['a template', '{{7*7}}<%= 7*7 %>'],
  ['a path', '../../../../etc/passwd'],
  ['an address', 'http://169.254.169.254/latest/meta-data'],
  ['headers', 'a\r\nBcc: all@example.com\r\n\r\nbody'],
  ['a long text', 'x'.repeat(6_000)],
  ['a list', []],
  ['lists in lists', [[[[[]]]]]],
  ['many things', Array.from({ length: 200 }, (_, index) => index)],
  ['a thing', {}],
  ['an operator', { $gt: '', $where: 'sleep(1000)' }],
  ['a date that is none', '2026-02-30T25:61:00Z'],
  ['the year 9999', '9999-12-31T23:59:59.999Z'],
];

const RAW_BODIES = [
  '',
  '{',
  'null',
  '[]',
  '"text"',
  '{"__proto__":{"role":"admin"},"constructor":{"prototype":{"role":"admin"}}}',
  `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
  '{"a":1,"a":2}',
  '\uFEFF{}',
];
const IDS = [
  '0',
  '-1',
  '1.5',
  '2147483648',
  '99999999999999999999',
  'NaN',
  '1e3',
  '%00',
  "1' or '1'='1",
  '../1',
  '',
  'x'.repeat(3_000),
  '１',
];
const QUERIES = [
  '?page=-1',
  '?page=1e99',
  '?page=%00',
  '?search=%00',
  `?search=${'x'.repeat(5_000)}`,
  '?search[]=a&search[]=b',
  '?sort=drop',
  '?from=9999-99-99&to=-1',
  '?category=%F0%9F%92%A9',
  '?token=%27',
  '?limit=1000000000',
];

// What only the inside knows: a statement, a stack, a path, a driver's word.
const LEAK =
  /\bselect .+ from\b|\binsert into\b|at .+ \(.+:\d+:\d+\)|node_modules|PostgresError|syntax error at or near|\/src\/features\//i;

/** What a body that is right in itself may still be refused for, because of what is in the database. */
const REFUSED_BY_ROWS: Record<string, string[]> = {
  // Nobody has the address.
  'PUT /api/admin/courses/[id]/staff': ['email'],
  'POST /api/admin/bundles': ['courseIds'],
  'PUT /api/account/authenticator': ['code'],
  'POST /api/account/proof': ['password'],
  'PUT /api/account/password': ['currentPassword'],
  'POST /api/admin/course-imports': ['upload'],
  'POST /api/admin/coupons': ['code'],
  'POST /api/admin/coupon-batches': ['prefix'],
  'POST /api/admin/search-synonyms': ['means', 'typed'],
  'POST /api/apply-coupon': ['couponCode'],
  'POST /api/auth/register': ['email'],
  'POST /api/create-direct-payment': ['couponCode'],
  'POST /api/create-payment-intent': ['couponCode'],
};

/** What has read the body before it says that there is no payment, or no lesson done, that would allow it. */
const FORBIDDEN_BY_ROWS = ['POST /api/create-account-after-purchase', 'PUT /api/courses/[id]/review'];

let payments: Payments;
let admin: Awaited<ReturnType<typeof makeAdmin>>;
let student: Awaited<ReturnType<typeof makeUser>>;
let own: Record<string, string>;
let calls = 0;
let caller = 0;

beforeAll(async () => {
  payments = await startPayments();
  startJudge({ log: () => {} });
  admin = await makeAdmin();
  student = await makeUser();
  const course = await makeCourse();
  const lesson = await makeLesson(course.id);
  own = {
    id: String(course.id),
    courseId: String(course.id),
    prefix: 'SPRING',
    lessonId: String(lesson.id),
    runId: '1',
    signIn: 'x',
    number: 'x',
    report: 'x',
    list: '1',
  };
});
afterAll(async () => {
  await stopJudge();
  await payments.close();
  expect(calls).toBeGreaterThan(3_000);
});

/** An address of its own for each call: limits are another test's matter. */
function address(): string {
  caller += 1;
  return `10.${(caller >> 16) & 255}.${(caller >> 8) & 255}.${caller & 255}`;
}

async function expectCalm(what: string, call: () => ReturnType<typeof callRoute>): Promise<Answer> {
  calls += 1;
  // A limit would answer before anything is read.
  await db().delete(rateLimits);
  const answer = await call();
  expect(answer.status, `${what}: ${answer.text.slice(0, 300)}`).toBeLessThan(500);
  if (answer.status < 400) return answer;
  expect(answer.text, what).not.toMatch(LEAK);
  if (String(answer.headers.get('content-type')).includes('json')) {
    expect(answer.body, what).toMatchObject({ message: expect.any(String), code: expect.any(String) });
  }
  return answer;
}

/** Other fields that a refusal may name, because a rule is about both. */
const PARTNERS: Record<string, string[]> = {
  password: ['confirmPassword'],
  price: ['originalPrice'],
  kind: ['percentOff', 'amountOff'],
};

it('has a right body for every endpoint that takes one', () => {
  const writes = ROUTES.filter(({ method }) => method !== 'GET' && method !== 'DELETE');
  expect(writes.map(({ name }) => name).toSorted()).toEqual(
    Object.keys(validBodies({ courseId: 1, lessonId: 1 })).toSorted(),
  );
  expect(ROUTES.length).toBeGreaterThan(90);
});

describe.each(ROUTES.map((one) => [one.name, one] as const))('%s', (name, { method, path, route, names }) => {
  it('refuses what it cannot work with, and says so', { timeout: 60_000 }, async () => {
    const session = await signIn(isForTeam(name) ? admin : student);
    const ask = (options: Parameters<typeof callRoute>[1]) => () =>
      callRoute(route, {
        method,
        as: session,
        ip: address(),
        params: own,
        path: path.replace(/\[.*/, '1'),
        ...options,
      });
    for (const part of names) {
      for (const id of IDS) {
        await expectCalm(
          `${part}=${id.slice(0, 40)}`,
          ask({
            params: { ...own, [part]: id },
            ...(method === 'GET' || method === 'DELETE' ? {} : { body: {} }),
          }),
        );
      }
    }
    if (method === 'GET') {
      for (const query of QUERIES) await expectCalm(query.slice(0, 60), ask({ path: `/api/x${query}` }));
      return;
    }
    if (method === 'DELETE') return;
    for (const body of RAW_BODIES) {
      await expectCalm(body.slice(0, 40), ask({ body, headers: { 'content-type': 'application/json' } }));
    }
    await expectCalm(
      'a form',
      ask({ body: 'a=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
    );
    await expectCalm(
      'bytes',
      ask({ body: new Uint8Array([0xff, 0xfe, 0x00]), headers: { 'content-type': 'application/json' } }),
    );
    const valid = validBodies({ courseId: Number(own.courseId), lessonId: Number(own.lessonId) })[name];
    if (!valid) return;
    const byRows = REFUSED_BY_ROWS[name] ?? [];
    const right = await expectCalm('a right body', ask({ body: valid }));
    expect(Object.keys(right.body?.fields ?? {}).filter((one) => !byRows.includes(one))).toEqual([]);
    for (const field of Object.keys(valid)) {
      for (const [what, value] of VALUES) {
        const { status, body } = await expectCalm(
          `${field}: ${what}`,
          ask({ body: { ...valid, [field]: value } }),
        );
        const unread = FORBIDDEN_BY_ROWS.includes(name) ? [429] : [403, 429];
        expect(unread, `${field}: ${what}`).not.toContain(status);
        if (body?.code === 'invalid_input') expect(body.fields, `${field}: ${what}`).toBeTruthy();
        const named = Object.keys(body?.fields ?? {}).filter(
          (one) => one.split('.')[0] !== field && ![...byRows, ...(PARTNERS[field] ?? [])].includes(one),
        );
        expect(named, `${field}: ${what}`).toEqual([]);
      }
    }
  });
});
