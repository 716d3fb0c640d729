import type { APIRoute } from 'astro';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeUser } from '#db/factories.ts';
import { auditLog, users } from '#db/schema/account.ts';
import * as analyticsCourses from '#src/pages/api/analytics/courses.ts';
import * as recentPurchases from '#src/pages/api/analytics/recent-purchases.ts';
import * as courses from '#src/pages/api/courses.ts';
import * as course from '#src/pages/api/courses/[id].ts';
import * as toggle from '#src/pages/api/courses/[id]/toggle.ts';
import { callRoute, signIn } from '../support/api.ts';

// Every endpoint under /api/admin is found by its file, so that a new one cannot be forgotten here (fault I7).
const found = import.meta.glob<Record<string, unknown>>('../../src/pages/api/admin/**/*.ts', { eager: true });
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

const methodsOf = (path: string, module: Record<string, unknown>, only = METHODS) =>
  METHODS.filter((method) => method in module && only.includes(method)).map(
    (method) => [`${method} ${path}`, method, module[method] as APIRoute] as const,
  );

const ROUTES = [
  ...Object.entries(found).flatMap(([file, module]) =>
    methodsOf(file.replace('../../src/pages', '').replace(/\.ts$/, ''), module),
  ),
  ...methodsOf('/api/analytics/courses', analyticsCourses),
  ...methodsOf('/api/analytics/recent-purchases', recentPurchases),
  ...methodsOf('/api/courses', courses, ['POST']),
  ...methodsOf('/api/courses/[id]', course, ['PUT', 'DELETE']),
  ...methodsOf('/api/courses/[id]/toggle', toggle),
];

let admin: Awaited<ReturnType<typeof makeAdmin>>;
let former: Awaited<ReturnType<typeof signIn>>;
let student: Awaited<ReturnType<typeof signIn>>;
beforeAll(async () => {
  admin = await makeAdmin();
  const demoted = await makeAdmin();
  former = await signIn(demoted);
  await db().update(users).set({ role: 'student' }).where(eq(users.id, demoted.id));
  student = await signIn(await makeUser());
});

// No row has this id: whatever gets past the access check finds nothing to change.
const NOBODY = { id: '2147483647' };
const options = (method: string) => ({
  method,
  params: NOBODY,
  ...(method === 'GET' || method === 'DELETE' ? {} : { body: {} }),
});

it('covers the endpoints that there are', () => {
  expect(ROUTES.length).toBeGreaterThanOrEqual(28);
});

describe.each(ROUTES)('%s', (_name, method, route) => {
  it('asks visitors to sign in', async () => {
    const answer = await callRoute(route, options(method));
    expect(answer.status).toBe(401);
    expect(answer.body.code).toBe('unauthenticated');
    expect(
      (await callRoute(route, { ...options(method), headers: { authorization: 'Bearer null' } })).status,
    ).toBe(401);
  });

  it('refuses students and former administrators, by header and by cookie, whatever they ask', async () => {
    const before = await db().$count(auditLog);
    for (const session of [student, former]) {
      for (const how of [{ as: session }, { withCookie: session }]) {
        const answer = await callRoute(route, { ...options(method), ...how });
        expect(answer.status).toBe(403);
        expect(answer.body).toEqual({
          code: 'forbidden',
          message: 'Only administrators may do this.',
          requestId: expect.any(String),
        });
      }
    }
    expect(await db().$count(auditLog)).toBe(before);
  });

  it('refuses an administrator whom another site sends', async () => {
    if (method === 'GET') return;
    const answer = await callRoute(route, {
      ...options(method),
      withCookie: await signIn(admin),
      headers: { origin: 'https://evil.test' },
    });
    expect(answer.status).toBe(403);
    expect(answer.body.message).toBe('This request did not come from our site.');
  });

  it('lets an administrator in, and answers nonsense with a refusal that is meant to be seen', async () => {
    const answer = await callRoute(route, { ...options(method), as: await signIn(admin) });
    expect([200, 201, 400, 404, 415]).toContain(answer.status);
    if (answer.status >= 400) expect(answer.body.message).toEqual(expect.any(String));
    for (const body of ['[]', '"text"', '{', 'null']) {
      if (method === 'GET' || method === 'DELETE') break;
      const refused = await callRoute(route, {
        method,
        params: NOBODY,
        body,
        headers: { 'content-type': 'application/json' },
        as: await signIn(admin),
      });
      expect([400, 404, 415]).toContain(refused.status);
    }
    if (Object.keys(NOBODY).length > 0 && /\[id\]/.test(_name)) {
      for (const id of ['0', '-1', '1e3', 'NaN', "1' or '1'='1", '9'.repeat(5000), '2147483648', '']) {
        const missing = await callRoute(route, {
          ...options(method),
          params: { id },
          as: await signIn(admin),
        });
        expect(missing.status).toBe(404);
      }
    }
  });
});
