import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asc, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourse, makeEnrollment, makeLesson, makeUser } from '../../support/factories.ts';
import { FIXED_CATEGORIES } from '#src/shared/content/categories.ts';
import { categories, courses, lessons, publishChecks } from '#db/schema/catalogue.ts';
import { enrollments, lessonProgress } from '#db/schema/learn.ts';
import type { PendingChanges } from '#src/features/authoring/changes/changes.ts';
import { findCourseContent, findLessonFields } from '#src/features/authoring/lesson-editor/lessons.server.ts';
import { lessonDeletionNotice } from '#src/features/authoring/lesson-editor/lessons.ts';
import {
  differencesOf,
  findLessonVersions,
} from '#src/features/authoring/lesson-editor/versions/versions.server.ts';
import { lessonJob } from '#src/features/authoring/publishing/publish-check.server.ts';
import { publishReport } from '#src/features/authoring/publishing/publish-report.server.ts';
import { exportCourse } from '#src/features/authoring/transfer/course-export.server.ts';
import { importCourse } from '#src/features/authoring/transfer/course-import.server.ts';
import { withUnpackedCourse } from '#src/features/authoring/transfer/course-zip.server.ts';
import { findClassroom } from '#src/features/learn/classroom/classroom.server.ts';
import { completeLesson } from '#src/features/learn/progress/completion.server.ts';
import { lessonTitles } from '#src/features/lessons/prerequisites.server.ts';
import { GET as changesRoute } from '#src/pages/api/admin/courses/[id]/changes.ts';
import { POST as publishRoute } from '#src/pages/api/admin/courses/[id]/changes/publish.ts';
import { POST as duplicateCourse } from '#src/pages/api/admin/courses/[id]/duplicate.ts';
import { POST as create } from '#src/pages/api/admin/courses/[id]/lessons.ts';
import { POST as duplicate } from '#src/pages/api/admin/lessons/[id]/duplicate.ts';
import { POST as move } from '#src/pages/api/admin/lessons/[id]/move.ts';
import { DELETE as remove, PUT as update } from '#src/pages/api/admin/lessons/[id].ts';
import { GET as getLesson } from '#src/pages/api/lessons/[id].ts';
import * as jobs from '#src/server/jobs.ts';
import { unzip, zipOf } from '../../support/archives.ts';
import { callRoute, signIn } from '../../support/api.ts';

// Jobs are sent as always and worked on here, so that tests decide when.
vi.mock('#src/server/jobs.ts', { spy: true });
vi.mocked(jobs.sendJob);

let admin: Awaited<ReturnType<typeof makeAdmin>>;
let as: Awaited<ReturnType<typeof signIn>>;
let folder: string;
beforeAll(async () => {
  admin = await makeAdmin();
  as = await signIn(admin);
  folder = await mkdtemp(join(tmpdir(), 'prerequisites-'));
  await db()
    .insert(categories)
    .values(FIXED_CATEGORIES.map((one) => ({ ...one })))
    .onConflictDoNothing();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

type Route = Parameters<typeof callRoute>[0];
const call = (route: Route, method: string, id: number, body?: unknown) =>
  callRoute(route, { method, params: { id: String(id) }, as, ...(body === undefined ? {} : { body }) });
const rowsOf = (courseId: number) =>
  db().select().from(lessons).where(eq(lessons.courseId, courseId)).orderBy(asc(lessons.order));
const openingOf = async (id: number) =>
  (await db().select().from(lessons).where(eq(lessons.id, id)))[0]?.opening;

async function save(courseId: number, lessonId: number, fields: Record<string, unknown>) {
  const { exercise: _, order: _place, ...kept } = (await findLessonFields(courseId, lessonId))!;
  return call(update, 'PUT', lessonId, { ...kept, ...fields });
}

/** A course that nobody has, with the lessons A, B and C. */
async function abc(values: Parameters<typeof makeCourse>[0] = { isActive: false }) {
  const course = await makeCourse(values);
  const made: number[] = [];
  for (const [index, title] of ['A', 'B', 'C'].entries()) {
    made.push((await makeLesson(course.id, { title, content: 'Words.', order: index + 1 })).id);
  }
  const [a, b, c] = made as [number, number, number];
  return { id: course.id, a, b, c };
}
const waitFor = (lessonId: number, after: number[], more: object = {}) =>
  db()
    .update(lessons)
    .set({ opening: { ...more, after } })
    .where(eq(lessons.id, lessonId));

describe('a lesson that waits for others by name', () => {
  let made: Awaited<ReturnType<typeof abc>>;
  let user: Awaited<ReturnType<typeof makeUser>>;
  const closed = async (id: number) =>
    (await findClassroom(user, made.id))!.lessons.find((one) => one.id === id)!.closed;
  const complete = (id: number) => completeLesson({ id: user.id, role: 'student' }, made.id, id);
  beforeEach(async () => {
    made = await abc();
    user = await makeUser();
    await makeEnrollment(user.id, made.id);
  });

  it('opens once each of them is completed or excused, and stays open to who completed it', async () => {
    await waitFor(made.a, [made.c, made.b]);
    expect(await closed(made.a)).toEqual({
      until: null,
      needsEarlier: false,
      needs: [
        { id: made.b, title: 'B' },
        { id: made.c, title: 'C' },
      ],
    });
    const answer = await callRoute(getLesson, {
      params: { id: String(made.a) },
      as: await signIn(user),
    });
    expect([answer.status, answer.body.message]).toEqual([
      403,
      'This lesson opens once you have completed “B” and “C”.',
    ]);
    await complete(made.c);
    expect((await closed(made.a))!.needs).toEqual([{ id: made.b, title: 'B' }]);
    await db().insert(lessonProgress).values({
      userId: user.id,
      courseId: made.id,
      lessonId: made.b,
      excusedAt: sql`now()`,
      excusedReason: 'Ill',
    });
    expect(await closed(made.a)).toBeNull();
    await complete(made.a);
    await db()
      .update(lessonProgress)
      .set({ excusedAt: null, excusedReason: null })
      .where(eq(lessonProgress.lessonId, made.b));
    expect(await closed(made.a)).toBeNull();
  });

  it('does not wait for what others have done, for one that is gone, nor as a free preview', async () => {
    await waitFor(made.a, [made.b]);
    const other = await makeUser();
    await makeEnrollment(other.id, made.id);
    await completeLesson({ id: other.id, role: 'student' }, made.id, made.b);
    expect(await closed(made.a)).not.toBeNull();
    await db().update(lessons).set({ isPreview: true }).where(eq(lessons.id, made.a));
    expect(await closed(made.a)).toBeNull();
    await db().update(lessons).set({ isPreview: false }).where(eq(lessons.id, made.a));
    await db().delete(lessons).where(eq(lessons.id, made.b));
    expect(await closed(made.a)).toBeNull();
  });
});

describe('saving refuses', () => {
  const refused = async (answer: ReturnType<typeof save>, field = 'opening.after') => {
    const { status, body } = await answer;
    return [status, body.fields?.[field]];
  };

  it('a lesson of another course or none, and itself', async () => {
    const made = await abc();
    const other = await abc();
    for (const after of [[other.a], [2_000_000_000], [made.b, other.a]]) {
      expect(await refused(save(made.id, made.c, { opening: { after } }))).toEqual([
        400,
        'This course has no such lesson',
      ]);
    }
    expect(await refused(save(made.id, made.c, { opening: { after: [made.c] } }))).toEqual([
      400,
      'A lesson cannot wait for itself',
    ]);
    const body = { type: 'text', title: 'D', content: 'Words.', opening: { after: [other.a] } };
    const answer = await call(create, 'POST', made.id, body);
    expect([answer.status, answer.body.fields['opening.after']]).toEqual([
      400,
      'This course has no such lesson',
    ]);
    expect(await rowsOf(made.id)).toHaveLength(3);
  });

  it('a circle, also over others and over the lessons before', async () => {
    const made = await abc();
    expect((await save(made.id, made.b, { opening: { after: [made.a] } })).status).toBe(200);
    expect((await save(made.id, made.c, { opening: { after: [made.b] } })).status).toBe(200);
    expect(await refused(save(made.id, made.a, { opening: { after: [made.b] } }))).toEqual([
      400,
      '“B” waits for “A” already',
    ]);
    expect(await refused(save(made.id, made.a, { opening: { after: [made.c] } }))).toEqual([
      400,
      '“C” waits for “A” already',
    ]);
    await save(made.id, made.c, { opening: { afterEarlier: true } });
    await save(made.id, made.b, { opening: {} });
    expect(await refused(save(made.id, made.a, { opening: { after: [made.c] } }))).toEqual([
      400,
      '“C” waits for “A” already',
    ]);
    await save(made.id, made.c, { opening: {} });
    expect((await save(made.id, made.a, { opening: { after: [made.c] } })).status).toBe(200);
    expect(
      await refused(save(made.id, made.c, { opening: { afterEarlier: true } }), 'opening.afterEarlier'),
    ).toEqual([400, '“A” waits for “C” already']);
    // It comes after all before it, and names one that stands later: no circle.
    expect((await save(made.id, made.b, { opening: { after: [made.c], afterEarlier: true } })).status).toBe(
      200,
    );
  });

  it('one of two that make a circle at the same time', async () => {
    const made = await abc();
    const answers = await Promise.all([
      save(made.id, made.a, { opening: { after: [made.b] } }),
      save(made.id, made.b, { opening: { after: [made.a] } }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });
});

describe('what is saved', () => {
  it('is each lesson once; the same again changes nothing', async () => {
    const made = await abc();
    const first = await save(made.id, made.c, { opening: { after: [made.b, made.a, made.b] } });
    expect(await openingOf(made.c)).toEqual({ after: [made.a, made.b] });
    const again = await save(made.id, made.c, { opening: { after: [made.b, made.a] } });
    expect([again.status, again.body.version]).toEqual([200, first.body.version]);
  });

  it('tells authors the titles, in versions and where a colleague was faster', async () => {
    const made = await abc();
    await save(made.id, made.c, { opening: { after: [made.a] } });
    await save(made.id, made.c, { opening: { after: [made.a, made.b] } });
    const [now, before] = (await findLessonVersions(made.id, made.c))!;
    expect(now!.changed).toEqual(['Opens']);
    expect(differencesOf(before!.fields, now!.fields, await lessonTitles(made.id))).toMatchObject([
      { label: 'Opens', after: 'after “A” and “B”' },
    ]);
    const late = await save(made.id, made.c, { version: 1, opening: {} });
    expect(late.body.changed).toEqual([{ field: 'opening', label: 'Opens', value: 'after “A” and “B”' }]);
  });

  it('loses a lesson that is gone with the next save, and says so before one is deleted', async () => {
    const made = await abc();
    await save(made.id, made.c, { opening: { after: [made.a, made.b] } });
    const content = (await findCourseContent(made.id))!;
    expect(content.lessons.map(({ neededBy }) => neededBy)).toEqual([['C'], ['C'], []]);
    expect(lessonDeletionNotice(content.lessons[0]!)).toBe(
      '“A” will be removed for good. No learner has completed it. “C” then waits for it no more.',
    );
    expect((await call(remove, 'DELETE', made.a)).status).toBe(200);
    expect(await openingOf(made.c)).toEqual({ after: [made.a, made.b] });
    expect((await save(made.id, made.c, { title: 'Sea' })).status).toBe(200);
    expect(await openingOf(made.c)).toEqual({ after: [made.b] });
    // One that moved away is gone too.
    const other = await makeCourse({ isActive: false });
    expect((await call(move, 'POST', made.b, { courseId: other.id })).status).toBe(200);
    await save(made.id, made.c, {});
    expect(await openingOf(made.c)).toEqual({});
  });

  it('is hinted at on the publish page where it may never be done', async () => {
    const made = await abc();
    await waitFor(made.c, [made.a]);
    await db().update(lessons).set({ requiredToComplete: false }).where(eq(lessons.id, made.a));
    const hints = async () =>
      (await publishReport(made.id)).lessons.map(({ findings }) => findings.map(({ message }) => message));
    expect(await hints()).toEqual([
      [],
      [],
      ['It waits for “A”, which is not required: learners who leave that out cannot open it.'],
    ]);
    await waitFor(made.a, [made.c]);
    expect((await hints())[0]).toEqual([
      'It waits for “C”, which waits for this lesson: neither of them ever opens.',
    ]);
  });
});

describe('changes that wait', () => {
  async function publish(courseId: number) {
    const changes: PendingChanges = (await call(changesRoute, 'GET', courseId)).body;
    const answer = await call(publishRoute, 'POST', courseId, { seen: changes.seen, newVersions: [] });
    expect(answer.status, answer.text).toBeLessThan(300);
    const { run } = await publishReport(courseId);
    const waiting = run ? await db().select().from(publishChecks).where(eq(publishChecks.runId, run.id)) : [];
    for (const { lessonId, status } of waiting) {
      if (status !== 'done') await lessonJob.run({ runId: run!.id, lessonId }, { isLast: true });
    }
    expect(await db().select().from(courses).where(eq(courses.draftOf, courseId))).toEqual([]);
    return changes;
  }
  /** A course whose changes wait until they are published. */
  const published = async () => {
    const made = await abc();
    await db().update(courses).set({ publishedAt: sql`now()` }).where(eq(courses.id, made.id));
    await db().update(lessons).set({ provenRevision: sql`revision` }).where(eq(lessons.courseId, made.id));
    return made;
  };

  it('name lessons by ids that are the same before and after, also a new one', async () => {
    const made = await published();
    const user = await makeUser();
    await makeEnrollment(user.id, made.id);
    const added = await call(create, 'POST', made.id, {
      ...{ type: 'text', title: 'New', content: 'Words.', order: 1 },
      opening: { after: [made.a] },
    });
    expect(added.status, added.text).toBe(201);
    const fresh: number = added.body.id;
    expect((await save(made.id, made.c, { opening: { after: [made.b, fresh] } })).status).toBe(200);
    expect((await save(made.id, made.b, { opening: { after: [made.c] } })).body.fields).toEqual({
      'opening.after': '“C” waits for “B” already',
    });
    const content = (await findCourseContent(made.id))!;
    expect(content.lessons.map(({ title, neededBy }) => [title, neededBy])).toEqual([
      ['New', ['C']],
      ['A', ['New']],
      ['B', ['C']],
      ['C', []],
    ]);
    // Nobody has it yet.
    expect(await openingOf(made.c)).toEqual({});
    // Whoever looks at it as a learner meets it by the lessons of the copy.
    const [copy] = await db().select().from(courses).where(eq(courses.draftOf, made.id));
    await makeEnrollment(user.id, copy!.id);
    const seen = (await findClassroom(user, copy!.id))!.lessons;
    expect(seen.find(({ title }) => title === 'C')!.closed!.needs).toEqual(
      seen.flatMap(({ id, title }) => (title === 'New' || title === 'B' ? [{ id, title }] : [])),
    );
    await db().delete(enrollments).where(eq(enrollments.courseId, copy!.id));

    const changes = await publish(made.id);
    expect(changes.lessons.find(({ lessonId }) => lessonId === made.c)!.differences).toMatchObject([
      { label: 'Opens', after: 'after “B” and “New”' },
    ]);
    expect(await openingOf(made.c)).toEqual({ after: [made.b, fresh] });
    const now = (await findClassroom(user, made.id))!.lessons;
    expect(now.map(({ title, closed }) => [title, closed?.needs.map((one) => one.title) ?? null])).toEqual([
      ['New', ['A']],
      ['A', null],
      ['B', null],
      ['C', ['New', 'B']],
    ]);
  });

  it('take a lesson that is gone out of all rules when they are published', async () => {
    const made = await published();
    await waitFor(made.c, [made.a, made.b]);
    expect((await call(remove, 'DELETE', made.a)).status).toBe(200);
    await publish(made.id);
    expect(await openingOf(made.c)).toEqual({ after: [made.b] });
  });
});

describe('a copy', () => {
  it('of a lesson keeps what it waits for, and a lesson that is moved to another course drops it', async () => {
    const made = await abc();
    await waitFor(made.c, [made.a], { afterDays: 2 });
    const here = await call(duplicate, 'POST', made.c, {});
    expect(await openingOf(here.body.id)).toEqual({ afterDays: 2, after: [made.a] });
    const there = await call(move, 'POST', made.c, { courseId: (await makeCourse()).id });
    expect(await openingOf(there.body.id)).toEqual({ afterDays: 2 });
  });

  it('of a course waits for the copies', async () => {
    const made = await abc();
    await waitFor(made.a, [made.c, made.b]);
    await waitFor(made.c, [made.b], { on: '2027-01-31' });
    const copy = await call(duplicateCourse, 'POST', made.id);
    const [a, b, c] = await rowsOf(copy.body.id);
    expect(a!.opening).toEqual({ after: [b!.id, c!.id] });
    expect([b!.opening, c!.opening]).toEqual([{}, { on: '2027-01-31', after: [b!.id] }]);
  });
});

describe('the archive of a course', () => {
  const exported = async (id: number) =>
    Buffer.from(await new Response((await exportCourse(id)).body).arrayBuffer());
  async function read(bytes: Buffer, target: number | null) {
    const zip = join(folder, `${Math.random()}`);
    await writeFile(zip, bytes);
    return withUnpackedCourse(zip, `${zip}.unpacked`, async (files) => {
      const by = { id: admin.id, name: admin.username };
      const { plan } = await importCourse(by, files, { target, digest: '' });
      const { appliedTo } = await importCourse(by, files, { target, digest: plan.digest });
      return { id: appliedTo!, plan };
    });
  }
  const changed = async (bytes: Buffer, change: (text: string) => string) =>
    zipOf(
      [...(await unzip(bytes))].map(([path, content]) => [
        path,
        path.endsWith('01-a.md') ? Buffer.from(change(content.toString())) : content,
      ]),
    );

  it('names lessons by their files, and reads back as it was', async () => {
    const made = await abc({ isActive: false, title: 'Waiting' });
    await waitFor(made.a, [made.c, made.b], { afterDays: 2 });
    const bytes = await exported(made.id);
    const source = [...(await unzip(bytes))].find(([path]) => path.endsWith('/01-a.md'))![1].toString();
    expect(source).toMatch(/after:\n\s+- 02-b\n\s+- 03-c\n/);
    expect((await read(bytes, made.id)).plan.rows.map(({ change }) => change)).toEqual([
      'unchanged',
      'unchanged',
      'unchanged',
      'unchanged',
    ]);
    const { id } = await read(bytes, null);
    const [a, b, c] = await rowsOf(id);
    expect([a!.opening, b!.opening]).toEqual([{ afterDays: 2, after: [b!.id, c!.id] }, {}]);

    const less = await changed(bytes, (text) => text.replace(/\s+- 02-b/, ''));
    const { plan } = await read(less, id);
    expect(plan.rows.filter(({ change }) => change === 'changed')).toMatchObject([
      { title: 'A', details: ['Opens'] },
    ]);
    expect(await openingOf(a!.id)).toEqual({ afterDays: 2, after: [c!.id] });
  });

  it.each([
    ['04-none', 'names a lesson that is missing: 04-none'],
    ['01-a', 'A lesson cannot wait for itself'],
    ['03-c', '“C” waits for “A” already'],
  ])('is refused where a lesson waits for %s', async (name, message) => {
    const made = await abc({ isActive: false, title: `Wrong ${name}` });
    await waitFor(made.a, [made.b]);
    await waitFor(made.c, [made.a]);
    const bytes = await changed(await exported(made.id), (text) => text.replace('- 02-b', `- ${name}`));
    await expect(read(bytes, null)).rejects.toMatchObject({
      faults: expect.arrayContaining([
        { file: 'lessons/01-a.md', field: 'opening.after', line: expect.any(Number), message },
      ]),
    });
  });
});
