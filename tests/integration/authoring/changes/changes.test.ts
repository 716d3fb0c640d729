import { and, asc, desc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourse, makeEnrollment, makeLesson, makeUser } from '../../../support/factories.ts';
import { auditLog, users } from '#db/schema/account.ts';
import { courses, lessons, publishChecks, publishRuns } from '#db/schema/catalogue.ts';
import { enrollments, lessonProgress, quizQuestions } from '#db/schema/learn.ts';
import { scenarios } from '#db/schema/scenario.ts';
import { listAdminCourses } from '#src/features/authoring/courses/courses.server.ts';
import type { PendingChanges } from '#src/features/authoring/changes/changes.ts';
import { findCourseContent, findLessonFields } from '#src/features/authoring/lesson-editor/lessons.server.ts';
import {
  findLessonVersions,
  findVersionFields,
} from '#src/features/authoring/lesson-editor/versions/versions.server.ts';
import { lessonJob } from '#src/features/authoring/publishing/publish-check.server.ts';
import type { PublishReport } from '#src/features/authoring/publishing/publish-check.ts';
import { stopJudge } from '#src/judge/client.ts';
import { GET as changesRoute } from '#src/pages/api/admin/courses/[id]/changes.ts';
import { POST as discardRoute } from '#src/pages/api/admin/courses/[id]/changes/discard.ts';
import { POST as publishRoute } from '#src/pages/api/admin/courses/[id]/changes/publish.ts';
import { POST as previewRoute } from '#src/pages/api/admin/courses/[id]/learner-preview.ts';
import { PUT as reorder } from '#src/pages/api/admin/courses/[id]/lesson-order.ts';
import { POST as create } from '#src/pages/api/admin/courses/[id]/lessons.ts';
import { GET as reportRoute, POST as checkRoute } from '#src/pages/api/admin/courses/[id]/publish-check.ts';
import { PUT as override } from '#src/pages/api/admin/courses/[id]/publish-check/override.ts';
import { DELETE as remove, PUT as update } from '#src/pages/api/admin/lessons/[id].ts';
import { POST as moveAway } from '#src/pages/api/admin/lessons/[id]/move.ts';
import { GET as listCourses } from '#src/pages/api/courses.ts';
import {
  DELETE as deleteCourse,
  GET as readCourse,
  PUT as updateCourse,
} from '#src/pages/api/courses/[id].ts';
import * as jobs from '#src/server/jobs.ts';
import { setEnvironment } from '#src/server/start/env.ts';
import { pick } from '#src/shared/pick.ts';
import { callRoute, signIn } from '../../../support/api.ts';
import { saveText, work } from '../../../support/publishing.ts';

vi.mock('#src/server/jobs.ts', { spy: true });
vi.mocked(jobs.sendJob);
afterAll(() => stopJudge());

let admin: Awaited<ReturnType<typeof makeAdmin>>;
let as: Awaited<ReturnType<typeof signIn>>;
beforeAll(async () => {
  admin = await makeAdmin({ username: 'Grace Hopper' });
  as = await signIn(admin);
});

type Route = Parameters<typeof callRoute>[0];
const call = (route: Route, method: string, id: number, body?: unknown) =>
  callRoute(route, { method, params: { id: String(id) }, as, ...(body === undefined ? {} : { body }) });
const changesOf = async (id: number): Promise<PendingChanges> => (await call(changesRoute, 'GET', id)).body;
const report = async (id: number): Promise<PublishReport> => (await call(reportRoute, 'GET', id)).body;
const rowOf = async (id: number) => (await db().select().from(lessons).where(eq(lessons.id, id)))[0];
const liveTitles = async (courseId: number) =>
  (
    await db()
      .select({ title: lessons.title })
      .from(lessons)
      .where(eq(lessons.courseId, courseId))
      .orderBy(asc(lessons.order))
  ).map(({ title }) => title);
const copyOf = async (courseId: number) =>
  (await db().select().from(courses).where(eq(courses.draftOf, courseId)))[0];
const lastAction = async (courseId: number) =>
  (
    await db()
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.subjectType, 'course'), eq(auditLog.subjectId, String(courseId))))
      .orderBy(desc(auditLog.id))
      .limit(1)
  )[0];

const save = (courseId: number, lessonId: number, fields: Record<string, unknown>) =>
  saveText(as, [courseId, lessonId], fields);

async function publish(courseId: number, newVersions: number[] = []): Promise<PublishReport> {
  const { seen } = await changesOf(courseId);
  const begun = await call(publishRoute, 'POST', courseId, { seen, newVersions });
  expect(begun.status, begun.text).toBe(202);
  if (begun.body.run?.status === 'running') await work(begun.body.run.id);
  return report(courseId);
}

const CODING = {
  type: 'interactive_coding',
  codingLanguage: 'javascript',
  content: '',
  instructions: 'Return whether somebody is grown up.',
  starterCode: 'const isAdult = (age) => false;',
  solution: 'const isAdult = (age) => age >= 18;',
  testCases: [
    { input: 'isAdult(18)', expectedOutput: 'true' },
    { input: 'isAdult(17)', expectedOutput: 'false' },
    { input: 'isAdult(19)', expectedOutput: 'true' },
  ],
} as const;

describe('a lesson of a published course', () => {
  it('that is saved changes nothing for learners until it is published', async () => {
    const course = await makeCourse();
    const lesson = await makeLesson(course.id, { title: 'Values', content: 'Old words.' });
    const saved = await save(course.id, lesson.id, { content: 'New words.' });
    expect(saved.body, saved.text).toMatchObject({ id: lesson.id, courseId: course.id, version: 2 });
    expect((await rowOf(lesson.id))!.content).toBe('Old words.');
    expect((await findLessonFields(course.id, lesson.id))!.content).toBe('New words.');
    const changes = await changesOf(course.id);
    expect(changes.lessons).toMatchObject([
      { lessonId: lesson.id, kind: 'changed', differences: [{ label: 'Content' }], completions: 0 },
    ]);
    expect(changes.lessons[0]!.differences[0]!.hunks![0]!.lines).toEqual(['-Old words.', '+New words.']);

    const after = await publish(course.id);
    expect(after).toMatchObject({ ready: true, run: { outcome: 'published', isPublishing: true } });
    expect(await rowOf(lesson.id)).toMatchObject({ content: 'New words.', version: 2 });
    expect(await changesOf(course.id)).toMatchObject({ lessons: [], moved: [] });
    expect(await copyOf(course.id)).toBeUndefined();
    expect(await lastAction(course.id)).toMatchObject({
      action: 'course.changes_published',
      details: { changes: '1 lesson changed' },
    });
    const again = await save(course.id, lesson.id, { content: 'Newer words.', version: 2 });
    expect(again.status, again.text).toBe(200);
  });

  it('new, removed and moved ones wait as well, and come and go together', async () => {
    const course = await makeCourse();
    const [a, b, c] = [
      await makeLesson(course.id, { title: 'A' }),
      await makeLesson(course.id, { title: 'B' }),
      await makeLesson(course.id, { title: 'C' }),
    ];
    const learner = await makeUser();
    await makeEnrollment(learner.id, course.id);
    await db().insert(lessonProgress).values({
      userId: learner.id,
      courseId: course.id,
      lessonId: b.id,
      completed: true,
      completedAt: new Date(),
    });
    const made = await call(create, 'POST', course.id, {
      type: 'text',
      title: 'D',
      content: 'Words.',
      order: 1,
    });
    expect(made.status, made.text).toBe(201);
    expect((await call(remove, 'DELETE', b.id)).status).toBe(200);
    const order = [c.id, made.body.id, a.id];
    const ordered = await call(reorder, 'PUT', course.id, {
      before: [made.body.id, a.id, c.id],
      lessons: order.map((id) => ({ id, section: '' })),
    });
    expect(ordered.status, ordered.text).toBe(200);
    expect(await liveTitles(course.id)).toEqual(['A', 'B', 'C']);
    expect((await findCourseContent(course.id))!.lessons.map(({ id }) => id)).toEqual(order);
    expect(await changesOf(course.id)).toMatchObject({
      lessons: [
        { lessonId: made.body.id, kind: 'new' },
        { lessonId: b.id, kind: 'removed', completions: 1 },
      ],
      moved: [{ from: expect.any(Number), to: expect.any(Number) }],
    });

    await publish(course.id);
    expect(await liveTitles(course.id)).toEqual(['C', 'D', 'A']);
    expect(await rowOf(made.body.id)).toMatchObject({ courseId: course.id, draftOf: null });
    expect(await rowOf(b.id)).toBeUndefined();
    expect((await report(course.id)).lessons.map(({ id }) => id)).toEqual(order);
  });

  it('is published as a new version only where that was chosen', async () => {
    const course = await makeCourse();
    const [one, two] = [await makeLesson(course.id), await makeLesson(course.id)];
    for (const { id } of [one, two]) await save(course.id, id, { content: 'Other words.' });
    await publish(course.id, [two.id]);
    expect((await rowOf(one.id))!.changedAt).toBeNull();
    expect((await rowOf(two.id))!.changedAt).not.toBeNull();
  });

  it('keeps the ids of its questions, and a scenario its row', async () => {
    const course = await makeCourse();
    const quiz = await makeLesson(course.id, { type: 'quiz', content: '' });
    const values = { question: '2 + 2?', options: ['3', '4'], correctAnswer: 1, explanation: 'Sums.' };
    const kept = await db()
      .insert(quizQuestions)
      .values([1, 2].map((order) => ({ ...values, question: `${order} + 2?`, lessonId: quiz.id, order })))
      .returning();
    const form = (await findLessonFields(course.id, quiz.id))!;
    const questions = [
      { ...form.questions[1]!, question: 'Two and two?' },
      { ...values, question: 'A third one?' },
    ];
    const saved = await call(update, 'PUT', quiz.id, {
      type: 'quiz',
      title: quiz.title,
      content: '',
      version: form.version,
      questions,
    });
    expect(saved.status, saved.text).toBe(200);
    await publish(course.id);
    const now = await db()
      .select()
      .from(quizQuestions)
      .where(eq(quizQuestions.lessonId, quiz.id))
      .orderBy(asc(quizQuestions.order));
    expect(now).toMatchObject([
      { id: kept[1]!.id, question: 'Two and two?', draftOf: null },
      { question: 'A third one?', draftOf: null },
    ]);
    expect(await db().$count(scenarios)).toBe(0);
  });
});

describe('publishing', () => {
  it('gives learners nothing where one change does not pass, takes nothing off the store, and lets pass with a reason', async () => {
    const course = await makeCourse();
    const text = await makeLesson(course.id, { content: 'Old words.' });
    const coding = await makeLesson(course.id, { ...CODING, testCases: [...CODING.testCases] });
    await save(course.id, text.id, { content: 'New words.' });
    const wrong = [...CODING.testCases.slice(0, 2), { input: 'isAdult(19)', expectedOutput: 'false' }];
    const form = (await findLessonFields(course.id, coding.id))!;
    const saved = await call(update, 'PUT', coding.id, {
      ...form.exercise,
      title: coding.title,
      type: 'interactive_coding',
      version: form.version,
      testCases: wrong,
    });
    expect(saved.status, saved.text).toBe(200);

    const refused = await publish(course.id);
    expect(refused).toMatchObject({ isActive: true, run: { outcome: 'faulty' } });
    expect((await rowOf(text.id))!.content).toBe('Old words.');
    expect((await rowOf(coding.id))!.testCases).toHaveLength(3);
    expect((await rowOf(coding.id))!.testCases[2]!.expectedOutput).toBe('true');
    const failed = refused.lessons.find(({ id }) => id === coding.id)!;
    expect(failed.state).toBe('failed');

    for (const { key, severity } of failed.findings) {
      if (severity !== 'error') continue;
      const reason = 'The task is a joke about the number 19.';
      const passed = await call(override, 'PUT', course.id, { lessonId: coding.id, finding: key, reason });
      expect(passed.status, passed.text).toBe(200);
    }
    // Everything is proven by now: no judge is asked.
    const { seen } = await changesOf(course.id);
    const done = await call(publishRoute, 'POST', course.id, { seen, newVersions: [] });
    expect(done.body, done.text).toMatchObject({ ready: true });
    expect((await rowOf(text.id))!.content).toBe('New words.');
    expect((await rowOf(coding.id))!.testCases[2]!.expectedOutput).toBe('false');
    // What was let pass stays with the lesson.
    const { lessons: after } = await report(course.id);
    expect(after.find(({ id }) => id === coding.id)).toMatchObject({
      state: 'proven',
      findings: expect.arrayContaining([expect.objectContaining({ override: expect.anything() })]),
    });
  });

  it('looks again at a quiz that draws from one that changed', async () => {
    const course = await makeCourse();
    const bank = await makeLesson(course.id, { type: 'quiz', content: '' });
    const draws = await makeLesson(course.id, {
      type: 'quiz',
      content: '',
      quizSettings: { draw: [{ tag: 'sums', count: 2, from: 'course' }] },
    });
    const question = {
      options: ['3', '4'],
      correctAnswer: 1,
      explanation: 'Sums.',
      details: { tags: ['sums'] },
    };
    await db()
      .insert(quizQuestions)
      .values([1, 2].map((order) => ({ ...question, question: `${order}?`, lessonId: bank.id, order })));
    await db()
      .insert(quizQuestions)
      .values({ ...question, details: {}, question: 'Own?', lessonId: draws.id, order: 1 });
    await db()
      .update(lessons)
      .set({ provenRevision: lessons.revision })
      .where(eq(lessons.courseId, course.id));
    const form = (await findLessonFields(course.id, bank.id))!;
    await call(update, 'PUT', bank.id, {
      type: 'quiz',
      title: bank.title,
      content: '',
      version: form.version,
      questions: form.questions.slice(0, 1),
    });
    expect(await publish(course.id)).toMatchObject({ run: { outcome: 'faulty' } });
    expect(await db().$count(quizQuestions, eq(quizQuestions.lessonId, bank.id))).toBe(2);
  });

  it('publishes only what was seen', async () => {
    const course = await makeCourse();
    const lesson = await makeLesson(course.id, { content: 'Old words.' });
    await save(course.id, lesson.id, { content: 'Seen words.' });
    const { seen } = await changesOf(course.id);
    await save(course.id, lesson.id, { content: 'Unseen words.' });
    const late = await call(publishRoute, 'POST', course.id, { seen, newVersions: [] });
    expect(late.status).toBe(409);

    const now = (await changesOf(course.id)).seen;
    const begun = await call(publishRoute, 'POST', course.id, { seen: now, newVersions: [] });
    expect(begun.body.run).toMatchObject({ status: 'running' });
    const second = await call(publishRoute, 'POST', course.id, { seen: now, newVersions: [] });
    expect(second.status).toBe(409);
    await save(course.id, lesson.id, { content: 'Words of a colleague.' });
    await work(begun.body.run.id);
    expect(await report(course.id)).toMatchObject({ run: { outcome: 'changed' } });
    expect((await rowOf(lesson.id))!.content).toBe('Old words.');

    await publish(course.id);
    expect((await rowOf(lesson.id))!.content).toBe('Words of a colleague.');
    const none = await call(publishRoute, 'POST', course.id, { seen: now, newVersions: [] });
    expect(none.status).toBe(409);
  });

  it('asked for at the same moment publishes once', async () => {
    const course = await makeCourse();
    const lesson = await makeLesson(course.id);
    await db().update(lessons).set({ provenRevision: lessons.revision }).where(eq(lessons.id, lesson.id));
    // A title is nothing that the check looks at.
    await save(course.id, lesson.id, { title: 'Another title' });
    const { seen } = await changesOf(course.id);
    const answers = await Promise.all(
      [1, 2, 3].map(() => call(publishRoute, 'POST', course.id, { seen, newVersions: [] })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409]);
    expect((await rowOf(lesson.id))!.title).toBe('Another title');
  });

  it('goes on after the process died between check and switch', async () => {
    const course = await makeCourse();
    const lesson = await makeLesson(course.id, { content: 'Old words.' });
    await save(course.id, lesson.id, { content: 'New words.' });
    const { seen } = await changesOf(course.id);
    const begun = await call(publishRoute, 'POST', course.id, { seen, newVersions: [] });
    const runId: number = begun.body.run.id;
    const [waiting] = await db().select().from(publishChecks).where(eq(publishChecks.runId, runId));
    // Checked and settled, and then gone: what the job has written so far.
    await db().update(publishChecks).set({ status: 'done' }).where(eq(publishChecks.runId, runId));
    await db()
      .update(lessons)
      .set({ provenRevision: lessons.revision })
      .where(eq(lessons.id, waiting!.lessonId));
    expect((await rowOf(lesson.id))!.content).toBe('Old words.');
    await lessonJob.run({ runId, lessonId: waiting!.lessonId }, { isLast: false });
    expect((await rowOf(lesson.id))!.content).toBe('New words.');
    const [run] = await db().select().from(publishRuns).where(eq(publishRuns.id, runId));
    expect(run).toMatchObject({ status: 'finished', outcome: 'published', courseId: course.id });
    await lessonJob.run({ runId, lessonId: waiting!.lessonId }, { isLast: true });
    expect((await rowOf(lesson.id))!.version).toBe(2);
  });

  it('is for those who run the site, and names what it cannot take', async () => {
    const course = await makeCourse();
    const body = { seen: 'x', newVersions: [] };
    const asLearner = await signIn(await makeUser());
    for (const [route, method, sent] of [
      [changesRoute, 'GET', undefined],
      [publishRoute, 'POST', body],
      [discardRoute, 'POST', { what: 'all' }],
    ] as const) {
      const params = { id: String(course.id) };
      const input = sent === undefined ? {} : { body: sent };
      expect((await callRoute(route, { method, params, ...input })).status).toBe(401);
      expect((await callRoute(route, { method, params, as: asLearner, ...input })).status).toBe(403);
      expect((await call(route, method, 999_999, sent)).status).toBe(404);
    }
    const wrong = await call(publishRoute, 'POST', course.id, { seen: 'x', newVersions: 'all' });
    expect(wrong.body.fields).toEqual({ newVersions: 'newVersions must be a list of lessons' });
  });
});

describe('taking back', () => {
  it('one lesson, the order, or all leaves the course as learners have it', async () => {
    const course = await makeCourse();
    const [a, b, c] = [
      await makeLesson(course.id, { title: 'A', content: 'Old words.' }),
      await makeLesson(course.id, { title: 'B' }),
      await makeLesson(course.id, { title: 'C' }),
    ];
    await save(course.id, a.id, { content: 'New words.' });
    await call(remove, 'DELETE', b.id);
    const made = await call(create, 'POST', course.id, { type: 'text', title: 'D', content: 'Words.' });
    await call(reorder, 'PUT', course.id, {
      before: [a.id, c.id, made.body.id],
      lessons: [c.id, a.id, made.body.id].map((id) => ({ id, section: '' })),
    });
    const discard = (body: unknown) => call(discardRoute, 'POST', course.id, body);
    expect((await discard({ what: 'lesson', lessonId: c.id })).status).toBe(404);
    expect((await discard({ what: 'lesson', lessonId: a.id })).body.lessons).toHaveLength(2);
    expect((await findLessonFields(course.id, a.id))!.content).toBe('Old words.');
    expect((await discard({ what: 'lesson', lessonId: b.id })).body.lessons).toMatchObject([{ kind: 'new' }]);
    expect((await discard({ what: 'order' })).body.moved).toEqual([]);
    expect((await findCourseContent(course.id))!.lessons.map(({ title }) => title)).toEqual([
      'A',
      'B',
      'D',
      'C',
    ]);
    expect((await discard({ what: 'lesson', lessonId: made.body.id })).body).toMatchObject({
      lessons: [],
      moved: [],
    });
    expect(await copyOf(course.id)).toBeUndefined();

    await save(course.id, a.id, { content: 'New words.' });
    expect((await discard({ what: 'all' })).body.lessons).toEqual([]);
    expect(await liveTitles(course.id)).toEqual(['A', 'B', 'C']);
    expect(await lastAction(course.id)).toMatchObject({ action: 'course.changes_discarded' });
  });
});

describe('what the check found before', () => {
  it('stands with the lessons that stay as they are while another one waits', async () => {
    const course = await makeCourse();
    const text = await makeLesson(course.id, { content: 'Old words.' });
    const wrong = [...CODING.testCases.slice(0, 2), { input: 'isAdult(19)', expectedOutput: 'false' }];
    const coding = await makeLesson(course.id, { ...CODING, testCases: wrong });
    const begun = await call(checkRoute, 'POST', course.id);
    await work(begun.body.run.id);
    const before = (await report(course.id)).lessons.find(({ id }) => id === coding.id)!;
    expect(before.state).toBe('failed');
    await save(course.id, text.id, { content: 'New words.' });
    const after = await report(course.id);
    expect(after.run).toMatchObject({ status: 'finished', isPublishing: false, outcome: null });
    expect(after.lessons.find(({ id }) => id === coding.id)).toMatchObject({
      state: 'failed',
      findings: before.findings,
    });
    expect(after.lessons.find(({ id }) => id === text.id)!.state).toBe('changed');
    // Of what learners have already nothing stands in the way of what changed.
    expect(await publish(course.id)).toMatchObject({ run: { outcome: 'published' } });
  });
});

describe('a warning', () => {
  it('stays with its lesson when changes of another one are published, time and again', async () => {
    const course = await makeCourse({ isActive: false });
    const warned = await makeLesson(course.id, {
      type: 'text',
      content: 'Read [this](https://192.0.2.1.nip.invalid:1/).',
    });
    const other = await makeLesson(course.id, { type: 'text', content: 'Words.' });
    await work((await call(checkRoute, 'POST', course.id)).body.run.id);
    const [finding] = (await report(course.id)).lessons[0]!.findings;
    const severity = 'warning' as const;
    await db()
      .update(publishChecks)
      .set({ findings: [{ ...pick(finding!, ['key', 'field', 'message']), severity }] })
      .where(eq(publishChecks.lessonId, warned.id));
    await db().update(courses).set({ publishedAt: new Date() }).where(eq(courses.id, course.id));
    for (const content of ['Other words.', 'And others.']) {
      await save(course.id, other.id, { content });
      const { run, lessons: told } = await publish(course.id);
      expect(run!.outcome).toBe('published');
      expect(told[0]!.findings).toMatchObject([{ key: finding!.key, severity }]);
    }
  });
});

describe('what is saved while it waits', () => {
  const versionsOf = async (courseId: number, lessonId: number) =>
    (await findLessonVersions(courseId, lessonId))!.map(
      ({ version, state, fields }) => `${version} ${state ?? '-'}: ${fields.content}`,
    );

  it('stands among the versions, also after it was published', async () => {
    const course = await makeCourse();
    const lesson = await makeLesson(course.id, { content: 'First.' });
    await save(course.id, lesson.id, { content: 'Second.' });
    await save(course.id, lesson.id, { content: 'Third.' });
    expect(await versionsOf(course.id, lesson.id)).toEqual([
      '3 waits: Third.',
      '2 -: Second.',
      '1 learned: First.',
    ]);
    const now = (await findLessonFields(course.id, lesson.id))!;
    expect((await findVersionFields(lesson.id, now, 2))!.content).toBe('Second.');
    await publish(course.id);
    expect(await versionsOf(course.id, lesson.id)).toEqual(['3 now: Third.', '2 -: Second.', '1 -: First.']);
  });

  it('and after it was discarded', async () => {
    const course = await makeCourse();
    const lesson = await makeLesson(course.id, { content: 'First.' });
    await save(course.id, lesson.id, { content: 'Second.' });
    await call(discardRoute, 'POST', course.id, { what: 'all' });
    expect(await versionsOf(course.id, lesson.id)).toEqual(['3 now: First.', '2 -: Second.', '1 -: First.']);
  });
});

describe('around a course that is worked on', () => {
  it('two authors: the second is told what the first changed, from the first save on', async () => {
    const course = await makeCourse();
    const lesson = await makeLesson(course.id, { content: 'Old words.' });
    const { version } = (await findLessonFields(course.id, lesson.id))!;
    const first = await save(course.id, lesson.id, { content: 'Words of one.', version });
    expect(first.status, first.text).toBe(200);
    const second = await save(course.id, lesson.id, { content: 'Words of another.', version });
    expect(second.status).toBe(409);
    expect(second.body).toMatchObject({ changed: [{ label: 'Content', value: 'Words of one.' }] });
  });

  it('at the same moment make one copy of it', async () => {
    const course = await makeCourse();
    const made = [1, 2, 3, 4].map((number) => makeLesson(course.id, { title: `L${number}` }));
    const rows = await Promise.all(made);
    const answers = await Promise.all(rows.map(({ id }) => save(course.id, id, { content: 'Other words.' })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await changesOf(course.id)).lessons).toHaveLength(4);
    expect(await db().$count(courses, eq(courses.draftOf, course.id))).toBe(1);
  });

  it('price and title change at once, and the copy is no course of its own', async () => {
    const course = await makeCourse({ title: 'Worked on at present' });
    const lesson = await makeLesson(course.id);
    await save(course.id, lesson.id, { content: 'Other words.' });
    const copy = (await copyOf(course.id))!;
    expect((await call(readCourse, 'GET', copy.id)).status).toBe(404);
    expect((await call(changesRoute, 'GET', copy.id)).status).toBe(404);
    expect((await call(updateCourse, 'PUT', copy.id, { title: 'X' })).status).not.toBe(200);
    const all = await callRoute(listCourses, {
      path: '/api/courses?search=Worked+on&includeHidden=true',
      as,
    });
    expect(all.text).not.toContain(`"id":${copy.id},`);
    const removed = await call(deleteCourse, 'DELETE', course.id);
    expect(removed.body).toEqual({ outcome: 'removed' });
    expect(await copyOf(course.id)).toBeUndefined();
  });

  it('a preview shows the changes or the course as it is, and goes with the changes', async () => {
    const course = await makeCourse();
    const lesson = await makeLesson(course.id);
    await save(course.id, lesson.id, { content: 'Other words.' });
    const copy = (await copyOf(course.id))!;
    const pending = await call(previewRoute, 'POST', course.id, { lessonId: lesson.id });
    expect(pending.body.href).toMatch(new RegExp(`^/learn/${copy.id}\\?lesson=`));
    const live = await call(previewRoute, 'POST', course.id, { lessonId: lesson.id, state: 'live' });
    expect(live.body.href).toBe(`/learn/${course.id}?lesson=${lesson.id}`);
    await publish(course.id);
    expect(await db().$count(users, eq(users.email, `preview-${admin.id}-${copy.id}@preview.invalid`))).toBe(
      0,
    );
    const learners = await db().select().from(enrollments).where(eq(enrollments.courseId, copy.id));
    expect(learners).toEqual([]);
  });

  it('a lesson moved to another course stays with its learners until its own course is published', async () => {
    const [from, to] = [await makeCourse(), await makeCourse()];
    const lesson = await makeLesson(from.id, { title: 'Wanders' });
    const moved = await call(moveAway, 'POST', lesson.id, { courseId: to.id });
    expect(moved.status, moved.text).toBe(200);
    expect(await liveTitles(from.id)).toEqual(['Wanders']);
    expect(await liveTitles(to.id)).toEqual([]);
    expect((await changesOf(to.id)).lessons).toMatchObject([{ kind: 'new', title: 'Wanders' }]);
    await publish(to.id);
    await publish(from.id);
    expect(await liveTitles(from.id)).toEqual([]);
    expect(await liveTitles(to.id)).toEqual(['Wanders']);
  });

  it('a course whose learners have no lesson gets its first one at once, and what comes after waits', async () => {
    const course = await makeCourse();
    const add = async (title: string) =>
      (await call(create, 'POST', course.id, { type: 'text', title, content: 'Words.' })).body;
    const counts = async () =>
      (await listAdminCourses({ search: course.title, page: 1 })).courses.find(({ id }) => id === course.id);
    expect(await add('First')).toMatchObject({ waits: false });
    expect(await liveTitles(course.id)).toEqual(['First']);
    expect(await counts()).toMatchObject({ lessonCount: 1, waitingCount: 0, hasChanges: false });
    expect(await add('Second')).toMatchObject({ waits: true });
    expect(await liveTitles(course.id)).toEqual(['First']);
    expect(await counts()).toMatchObject({ lessonCount: 1, waitingCount: 1, hasChanges: true });
    await publish(course.id);
    expect(await counts()).toMatchObject({ lessonCount: 2, waitingCount: 0, hasChanges: false });
  });

  it('two first lessons at the same moment: learners have one, the other waits', async () => {
    const course = await makeCourse();
    const made = await Promise.all(
      ['One', 'Other'].map((title) =>
        call(create, 'POST', course.id, { type: 'text', title, content: 'Words.' }),
      ),
    );
    expect(made.map(({ body }) => body.waits).sort()).toEqual([false, true]);
    expect(await liveTitles(course.id)).toHaveLength(1);
  });

  it('a first lesson that lacks what the check asks for waits', async () => {
    const course = await makeCourse();
    const unsolved = { ...CODING, title: 'Nobody has solved it', solution: '' };
    const { body, text } = await call(create, 'POST', course.id, unsolved);
    expect(body, text).toMatchObject({ waits: true });
    expect(await liveTitles(course.id)).toEqual([]);
  });

  it('a course that the store never had changes at once', async () => {
    const course = await makeCourse({ isActive: false });
    const lesson = await makeLesson(course.id);
    await save(course.id, lesson.id, { content: 'New words.' });
    expect((await rowOf(lesson.id))!.content).toBe('New words.');
    expect(await changesOf(course.id)).toMatchObject({ isPublished: false, lessons: [] });
  });

  it('where the check is required nothing is let pass', async () => {
    setEnvironment({ PUBLISH_CHECK: 'required' });
    try {
      const course = await makeCourse();
      await makeLesson(course.id);
      expect((await report(course.id)).mayLetPass).toBe(false);
    } finally {
      setEnvironment({ PUBLISH_CHECK: undefined });
    }
  });
});
