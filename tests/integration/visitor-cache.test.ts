import { setTimeout as sleep } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourse, makeEnrollment, makeUser } from '#db/factories.ts';
import { courses } from '#db/schema/catalogue.ts';
import { GET as courseRoute } from '#src/pages/api/courses/[id].ts';
import { VISITOR_CACHE_MS } from '#src/server/visitor-cache.ts';
import { callRoute, signIn } from '../support/api.ts';

type Caller = Parameters<typeof callRoute>[1];
const read = (id: number, caller: Caller = {}) =>
  callRoute(courseRoute, { path: `/api/courses/${id}`, params: { id: String(id) }, ...caller });
const rename = (id: number, title: string) => db().update(courses).set({ title }).where(eq(courses.id, id));

describe('what visitors share', () => {
  it('is one rendering for all who ask at once, and gone within a second', async () => {
    const { id } = await makeCourse({ title: 'Before' });
    expect((await read(id)).body.title).toBe('Before');
    await rename(id, 'After');
    await db().update(courses).set({ isActive: false }).where(eq(courses.id, id));
    await sleep(VISITOR_CACHE_MS + 50);
    expect((await read(id)).status).toBe(404);
  });

  it('is never what somebody signed in sees, and the other way round', async () => {
    const { id } = await makeCourse({ title: 'Hidden soon', isActive: false });
    const owner = await makeUser();
    await makeEnrollment(owner.id, id);
    const as = await signIn(owner);
    expect((await read(id, { as })).status).toBe(200);
    expect((await read(id)).status).toBe(404);
    expect((await read(id, { as: await signIn(await makeAdmin()) })).status).toBe(200);
    expect((await read(id)).status).toBe(404);
    await rename(id, 'Renamed');
    expect((await read(id, { as })).body.title).toBe('Renamed');
  });

  it('carries a tag: who has it already is told so, and sees a change within a second', async () => {
    const { id } = await makeCourse({ title: 'Tagged' });
    const first = await read(id);
    const etag = first.headers.get('etag')!;
    expect([first.headers.get('cache-control'), first.headers.get('vary')]).toEqual([
      'no-cache',
      'Cookie, Authorization',
    ]);
    const again = await read(id, { headers: { 'if-none-match': `"other", ${etag}` } });
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
    await rename(id, 'Renamed');
    await sleep(VISITOR_CACHE_MS + 50);
    const changed = await read(id, { headers: { 'if-none-match': etag } });
    expect([changed.status, changed.body.title]).toEqual([200, 'Renamed']);
    const own = await read(id, { as: await signIn(await makeUser()), headers: { 'if-none-match': etag } });
    expect([own.status, own.headers.get('cache-control'), own.headers.get('etag')]).toEqual([
      200,
      'no-store',
      null,
    ]);
  });

  it('does not keep a refusal', async () => {
    const { id } = await makeCourse({ isActive: false });
    expect((await read(id)).status).toBe(404);
    await db().update(courses).set({ isActive: true }).where(eq(courses.id, id));
    expect((await read(id)).status).toBe(200);
  });
});
