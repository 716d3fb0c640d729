import { randomBytes } from 'node:crypto';
import type { APIRoute } from 'astro';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import {
  makeAdmin,
  makeCategories,
  makeCourse,
  makeEnrollment,
  makeLesson,
  makeUser,
} from '../../support/factories.ts';
import { auditLog, users } from '#db/schema/account.ts';
import { courseStaff, pictures, videos } from '#db/schema/catalogue.ts';
import { assignments, courseNews } from '#db/schema/learn.ts';
import { mistakeGroups } from '#db/schema/practice.ts';
import { lessonQuestions } from '#db/schema/questions.ts';
import { callRoute, signIn } from '../../support/api.ts';
import { ENDPOINTS, type EndpointAccess, isForTeam, PAGES } from '../../support/routes.ts';
import { validBodies } from '../../support/valid-bodies.ts';

// Every endpoint and page is found by its file, so that a new one cannot be forgotten (fault I7).
const found = import.meta.glob<Record<string, unknown>>('../../../src/pages/**/*.ts', { eager: true });
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

const ROUTES = Object.entries(found).flatMap(([file, module]) => {
  const path = file.replace('../../../src/pages', '').replace(/\.ts$/, '');
  return METHODS.filter((method) => method in module).map((method) => ({
    name: `${method} ${path}`,
    method,
    path,
    route: module[method] as APIRoute,
  }));
});
const withAccess = (...access: EndpointAccess[]) =>
  ROUTES.filter(({ name }) => access.includes(ENDPOINTS[name]!)).map((one) => [one.name, one] as const);

let admin: Awaited<ReturnType<typeof makeAdmin>>;
let former: Awaited<ReturnType<typeof signIn>>;
let student: Awaited<ReturnType<typeof signIn>>;
beforeAll(async () => {
  await makeCategories();
  admin = await makeAdmin();
  const demoted = await makeAdmin();
  former = await signIn(demoted);
  await db().update(users).set({ role: 'student' }).where(eq(users.id, demoted.id));
  student = await signIn(await makeUser());
});

// No row has this id: whatever gets past the access check finds nothing to change.
const NOBODY = {
  id: '2147483647',
  courseId: '2147483647',
  lessonId: '2147483647',
  user: '2147483647',
  lesson: '2147483647',
  runId: '2147483647',
  signIn: 'nobody-signed-in-with-this',
  intent: 'pi_nobodyPaidThis',
  number: 'none',
  report: 'nothing',
  prefix: 'NOTHING',
  list: '0',
};
const options = (method: string) => ({
  method,
  params: NOBODY,
  ...(method === 'GET' || method === 'DELETE' || method === 'HEAD' ? {} : { body: {} }),
});
const VALID = validBodies({ courseId: 2_147_483_647, lessonId: 2_147_483_647 });
/** What an administrator is answered who names no row that is there, where it is neither 200 nor, with an id, 404. */
const STATUS_FOR_NOBODY: Record<string, number> = {
  // Its courses are not there.
  'POST /api/admin/bundles': 400,
  'POST /api/admin/coupons': 201,
  'POST /api/admin/coupon-batches': 201,
  'POST /api/admin/interactive-courses': 201,
  'POST /api/courses': 201,
  'POST /api/admin/search-synonyms': 201,
  'POST /api/admin/course-imports': 404,
  'POST /api/admin/files': 415,
  'POST /api/admin/questions/files': 415,
  'POST /api/admin/thumbnails': 415,
  // They speak the upload protocol, which says its version.
  'POST /api/admin/course-uploads': 400,
  'POST /api/admin/video-uploads': 400,
};
const ONLY_ADMINS = 'Only administrators may do this.';

describe('the table of routes', () => {
  it('names every endpoint, and none that is gone', () => {
    expect(ROUTES.map(({ name }) => name).toSorted()).toEqual(Object.keys(ENDPOINTS).toSorted());
  });

  it('keeps everything under /admin for administrators', () => {
    const open = [...Object.entries(ENDPOINTS), ...Object.entries(PAGES)].filter(
      ([name, access]) =>
        /(^| )(\/api)?\/(admin|api\/analytics)(\/|$)/.test(name) &&
        !(isForTeam(name) || (name in PAGES && access === 'admin')),
    );
    expect(open).toEqual([]);
  });
});

describe.each(withAccess('admin', 'author', 'grader', 'some-author'))('%s', (name, { method, route }) => {
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
          message: ONLY_ADMINS,
          requestId: expect.any(String),
        });
      }
    }
    expect(await db().$count(auditLog)).toBe(before);
  });

  // Reading changes nothing, so it is open to any origin.
  if (method !== 'GET' && method !== 'HEAD')
    it('refuses an administrator whom another site sends', async () => {
      const answer = await callRoute(route, {
        ...options(method),
        withCookie: await signIn(admin),
        headers: { origin: 'https://evil.test' },
      });
      expect(answer.status).toBe(403);
      expect(answer.body.message).toBe('This request did not come from our site.');
    });

  it('lets an administrator in, and answers nonsense with a refusal that is meant to be seen', async () => {
    const session = await signIn(admin);
    const valid = VALID[name];
    const answer = await callRoute(route, {
      method,
      params: NOBODY,
      ...(valid ? { body: valid } : {}),
      as: session,
    });
    expect(answer.status, answer.text).toBe(STATUS_FOR_NOBODY[name] ?? (/\[/.test(name) ? 404 : 200));
    if (answer.status >= 400) expect(answer.body.message).toEqual(expect.any(String));
    if (valid) {
      for (const body of ['[]', '"text"', '{', 'null']) {
        const refused = await callRoute(route, {
          method,
          params: NOBODY,
          body,
          headers: { 'content-type': 'application/json' },
          as: session,
        });
        expect(refused.status, body).toBe(400);
        expect(refused.body.message).toEqual(expect.any(String));
      }
    }
    if (/\[id\]/.test(name)) {
      for (const id of ['0', '-1', '1e3', 'NaN', "1' or '1'='1", '9'.repeat(5000), '2147483648', '']) {
        const missing = await callRoute(route, {
          ...options(method),
          params: { ...NOBODY, id },
          as: await signIn(admin),
        });
        expect(missing.status).toBe(404);
      }
    }
  });
});

/** A course with one of everything that an address may name, and the ids by what stands before `[id]`. */
async function taughtCourse() {
  const course = await makeCourse();
  const lesson = await makeLesson(course.id);
  const learner = await makeUser();
  const inLesson = { lessonId: lesson.id, userId: learner.id };
  const one = async (rows: Promise<{ id: number | string }[]>) => String((await rows)[0]!.id);
  const ids: Record<string, string> = {
    courses: String(course.id),
    lessons: String(lesson.id),
    pictures: await one(
      db()
        .insert(pictures)
        .values({ courseId: course.id, path: `/pictures/${course.id}`, name: 'a.png', sourceSha256: 'a' })
        .returning(),
    ),
    news: await one(
      db().insert(courseNews).values({ courseId: course.id, title: 'New', body: 'New' }).returning(),
    ),
    'mistake-groups': await one(
      db().insert(mistakeGroups).values({ lessonId: lesson.id, key: 'a' }).returning(),
    ),
    assignments: await one(db().insert(assignments).values(inLesson).returning()),
    'lesson-questions': await one(
      db()
        .insert(lessonQuestions)
        .values({ ...inLesson, key: 'a', body: 'Why?' })
        .returning(),
    ),
    videos: await one(
      db()
        .insert(videos)
        .values({ id: randomBytes(16).toString('hex'), courseId: course.id, name: 'a.mp4', size: 1 })
        .returning(),
    ),
  };
  ids['video-uploads'] = ids.videos!;
  return { course, ids };
}

async function staffOf(courseId: number, role: 'author' | 'grader') {
  const person = await makeUser();
  await db().insert(courseStaff).values({ courseId, userId: person.id, role });
  return signIn(person);
}

describe.each(withAccess('author', 'grader', 'some-author'))('%s', (name, { method, path, route }) => {
  const access = ENDPOINTS[name]!;

  it('is not there for the staff of another course, and lets in that of its own', async () => {
    const { course, ids } = await taughtCourse();
    const params = { ...NOBODY, id: ids[/\/([\w-]+)\/\[id\]/.exec(path)?.[1] ?? ''] ?? NOBODY.id };
    const status = async (as: Awaited<ReturnType<typeof signIn>>) => {
      const answer = await callRoute(route, { ...options(method), params, as });
      return answer.status === 404 ? `404 ${answer.body?.message}` : answer.status;
    };
    const elsewhere = await makeCourse();
    if (access === 'some-author') {
      expect(await status(await staffOf(elsewhere.id, 'grader'))).toBe('404 Not found.');
      const author = await status(await staffOf(elsewhere.id, 'author'));
      expect([401, 403, '404 Not found.']).not.toContain(author);
      return;
    }
    expect(await status(await staffOf(elsewhere.id, 'author'))).toBe('404 Not found.');
    const grader = await status(await staffOf(course.id, 'grader'));
    if (access === 'author') expect(grader).toBe('404 Not found.');
    else expect([401, 403, '404 Not found.']).not.toContain(grader);
    if (access === 'author')
      expect([401, 403, '404 Not found.']).not.toContain(await status(await staffOf(course.id, 'author')));
  });
});

describe.each(withAccess('admin-file'))('%s', (name, { route }) => {
  it('sends everybody else home, and answers an administrator', async () => {
    const asked = { path: name.replace(/^GET /, ''), params: NOBODY };
    for (const session of [undefined, student, former]) {
      const answer = await callRoute(route, { ...asked, ...(session ? { withCookie: session } : {}) });
      expect([answer.status, answer.headers.get('location')]).toEqual([302, '/']);
    }
    const answer = await callRoute(route, { ...asked, withCookie: await signIn(admin) });
    expect([200, 404]).toContain(answer.status);
  });
});

describe.each(withAccess('signed-in'))('%s', (_name, { method, route }) => {
  it('asks visitors to sign in, and treats a former administrator as anybody else', async () => {
    const visitor = await callRoute(route, options(method));
    expect(visitor.status).toBe(401);
    expect(visitor.body.code).toBe('unauthenticated');
    for (const person of [await makeUser(), await makeAdmin()]) {
      const session = await signIn(person);
      await db().update(users).set({ role: 'student' }).where(eq(users.id, person.id));
      const answer = await callRoute(route, { ...options(method), as: session });
      expect(answer.status).not.toBe(401);
      expect(answer.status).toBeLessThan(500);
      expect(answer.body?.message).not.toBe(ONLY_ADMINS);
    }
  });
});

describe.each(withAccess('everybody'))('%s', (_name, { method, route, path }) => {
  it('asks nobody to sign in', async () => {
    for (const session of [undefined, student, former]) {
      const answer = await callRoute(route, { ...options(method), ...(session ? { as: session } : {}) });
      // Trying a lesson and signing in have refusals of their own.
      if (path !== '/api/auth/login') expect(answer.status, answer.text).not.toBe(401);
      expect(answer.status).toBeLessThan(500);
      expect(answer.body?.message).not.toBe(ONLY_ADMINS);
      if (path === '/api/auth/logout') break;
    }
  });
});

describe('what a course’s owner has and nobody else', () => {
  let owner: Awaited<ReturnType<typeof signIn>>;
  let params: Record<string, string>;
  beforeAll(async () => {
    const course = await makeCourse();
    const lesson = await makeLesson(course.id);
    const person = await makeUser();
    await makeEnrollment(person.id, course.id);
    owner = await signIn(person);
    params = { id: String(lesson.id), courseId: String(course.id), lessonId: String(lesson.id) };
  });

  it.each([
    // endpoint, visitor, stranger, former administrator, owner
    ['GET /api/my-enrollments/[courseId]', 401, 404, 404, 200],
    ['GET /api/lessons/[id]', 404, 404, 404, 200],
    ['POST /api/lessons/[id]/activity', 401, 404, 404, 200],
    ['PUT /api/lessons/[id]/notes', 401, 404, 404, 200],
  ])('%s', async (name, ...expected) => {
    const { route, method, path } = ROUTES.find((one) => one.name === name)!;
    const body =
      method === 'GET'
        ? {}
        : { body: path.endsWith('notes') ? { notes: 'mine', version: 0 } : { seconds: 1 } };
    const statuses: number[] = [];
    for (const as of [null, student, former, owner]) {
      statuses.push((await callRoute(route, { method, params, ...body, as })).status);
    }
    expect(statuses).toEqual(expected);
  });
});
