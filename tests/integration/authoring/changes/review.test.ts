import { and, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourse, makeEnrollment, makeLesson, makeUser } from '../../../support/factories.ts';
import { courses, findingOverrides, lessons } from '#db/schema/catalogue.ts';
import { lessonProgress, pointsLedger, quizAttempts, quizQuestions } from '#db/schema/learn.ts';
import { reviewItems } from '#db/schema/review.ts';
import { lessonQuestions } from '#db/schema/questions.ts';
import { scenarioProgress, scenarios } from '#db/schema/scenario.ts';
import type { PendingChanges } from '#src/features/authoring/changes/changes.ts';
import { lessonsToProve } from '#src/features/authoring/changes/switch.server.ts';
import { findLessonFields } from '#src/features/authoring/lesson-editor/lessons.server.ts';
import { findVersionFields } from '#src/features/authoring/lesson-editor/versions/versions.server.ts';
import { startWorkingCheck } from '#src/features/authoring/publishing/publish-check.server.ts';
import type { PublishReport } from '#src/features/authoring/publishing/publish-check.ts';
import { publishReport } from '#src/features/authoring/publishing/publish-report.server.ts';
import { lockForChange, lockWorking } from '#src/features/lessons/working-copy.server.ts';
import { stopJudge } from '#src/judge/client.ts';
import { GET as changesRoute } from '#src/pages/api/admin/courses/[id]/changes.ts';
import { POST as discardRoute } from '#src/pages/api/admin/courses/[id]/changes/discard.ts';
import { POST as publishRoute } from '#src/pages/api/admin/courses/[id]/changes/publish.ts';
import { POST as previewRoute } from '#src/pages/api/admin/courses/[id]/learner-preview.ts';
import { POST as create } from '#src/pages/api/admin/courses/[id]/lessons.ts';
import { PUT as override } from '#src/pages/api/admin/courses/[id]/publish-check/override.ts';
import { DELETE as remove, PUT as update } from '#src/pages/api/admin/lessons/[id].ts';
import { POST as enroll } from '#src/pages/api/admin/users/[id]/enroll.ts';
import * as jobs from '#src/server/jobs.ts';
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
const copyOf = async (courseId: number) =>
  (await db().select().from(courses).where(eq(courses.draftOf, courseId)))[0];
const rowOf = async (id: number) => (await db().select().from(lessons).where(eq(lessons.id, id)))[0];

const save = (courseId: number, lessonId: number, fields: Record<string, unknown>) =>
  saveText(as, [courseId, lessonId], fields);

async function check(courseId: number): Promise<PublishReport> {
  const { run } = await startWorkingCheck({ id: admin.id, name: admin.username }, courseId);
  await work(run!.id);
  return publishReport(courseId);
}

async function publish(courseId: number): Promise<PublishReport> {
  const { seen } = await changesOf(courseId);
  const begun = await call(publishRoute, 'POST', courseId, { seen, newVersions: [] });
  expect(begun.status, begun.text).toBe(202);
  if (begun.body.run?.status === 'running') await work(begun.body.run.id);
  return publishReport(courseId);
}

const discard = (courseId: number, body: unknown) => call(discardRoute, 'POST', courseId, body);
const SCENARIO = {
  ...{ title: 'Played', description: '', type: 'debugging', timeLimit: 10, difficulty: 'beginner' },
  ...{ state: {}, goals: [], resources: [] },
};
const QUESTION = { question: '2 + 2?', options: ['3', '4'], correctAnswer: 1, explanation: 'Sums.' };

const somebodyWaits = () =>
  vi.waitFor(async () => {
    const [row] = await db().execute<{ waits: number }>(
      sql`select count(*)::int as waits from pg_locks where not granted`,
    );
    expect(row!.waits).toBeGreaterThan(0);
  });

describe('a form that stays open', () => {
  it('of a quiz saves on after its new questions were published', async () => {
    const course = await makeCourse();
    const quiz = await makeLesson(course.id, { type: 'quiz', content: '' });
    await db()
      .insert(quizQuestions)
      .values({ ...QUESTION, lessonId: quiz.id, order: 1 });
    const put = async (version: number, questions: unknown[]) =>
      call(update, 'PUT', quiz.id, { type: 'quiz', title: quiz.title, content: '', version, questions });
    const before = (await findLessonFields(course.id, quiz.id))!;
    const added = { ...QUESTION, question: 'A new one?' };
    expect((await put(before.version, [added, ...before.questions])).status).toBe(200);
    const form = (await findLessonFields(course.id, quiz.id))!;
    await publish(course.id);
    const now = (await findLessonFields(course.id, quiz.id))!;
    expect(now.questions).toEqual(form.questions);
    const [first, second] = form.questions;
    const again = await put(form.version, [{ ...first, question: 'A newer one?' }, second]);
    expect(again.status, again.text).toBe(200);
  });

  it('brings a question back that learners have as the one that it was', async () => {
    const course = await makeCourse();
    const quiz = await makeLesson(course.id, { type: 'quiz', content: '' });
    await db()
      .insert(quizQuestions)
      .values([1, 2].map((order) => ({ ...QUESTION, lessonId: quiz.id, order })));
    const put = async (questions: unknown[]) => {
      const { version } = (await findLessonFields(course.id, quiz.id))!;
      return call(update, 'PUT', quiz.id, {
        type: 'quiz',
        title: quiz.title,
        content: '',
        version,
        questions,
      });
    };
    const before = (await findLessonFields(course.id, quiz.id))!;
    await put([{ ...before.questions[0], question: 'Published once?' }, before.questions[1]]);
    await publish(course.id);
    expect((await put([before.questions[0]])).status).toBe(200);
    const now = (await findLessonFields(course.id, quiz.id))!;
    const back = (await findVersionFields(quiz.id, now, before.version))!;
    expect(back.questions).toEqual(before.questions);
    expect((await put(back.questions)).status).toBe(200);
    await publish(course.id);
    const after = await db().select().from(quizQuestions).where(eq(quizQuestions.lessonId, quiz.id));
    expect(after.map(({ id, draftOf }) => ({ id, draftOf })).toSorted((a, b) => a.id - b.id)).toEqual(
      before.questions.map(({ id }) => ({ id, draftOf: null })),
    );
  });

  it('meets a conflict where its version was taken back and a colleague saved since', async () => {
    const course = await makeCourse();
    const lesson = await makeLesson(course.id, { content: 'Old words.' });
    const other = await makeLesson(course.id);
    for (const takeBack of [
      () => discard(course.id, { what: 'lesson', lessonId: lesson.id }),
      () => discard(course.id, { what: 'all' }),
      async () => {
        await call(remove, 'DELETE', lesson.id);
        return discard(course.id, { what: 'lesson', lessonId: lesson.id });
      },
      async () => {
        await save(course.id, lesson.id, { content: 'Old words.' });
        return { status: (await publish(course.id)).run!.outcome === 'published' ? 200 : 500 };
      },
    ]) {
      await save(course.id, other.id, { content: `Other words ${Math.random()}.` });
      const saved = await save(course.id, lesson.id, { content: 'Words of one.' });
      const { version } = saved.body;
      expect((await takeBack()).status).toBe(200);
      for (let times = 1; times < 4; times += 1) {
        const colleague = await save(course.id, lesson.id, { content: `Words ${times} of a colleague.` });
        expect(colleague.status, colleague.text).toBe(200);
        const late = await save(course.id, lesson.id, { content: 'Words of one, too late.', version });
        expect(late.status, takeBack.toString()).toBe(409);
      }
      await discard(course.id, { what: 'all' });
    }
  });
});

describe('what the check found', () => {
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
      { input: 'isAdult(19)', expectedOutput: 'false' },
    ],
  } as const;
  const isProven = async (id: number) => {
    const { revision, provenRevision } = (await rowOf(id))!;
    return revision === provenRevision;
  };
  const open = (lessonId: number) =>
    db()
      .select()
      .from(findingOverrides)
      .where(and(eq(findingOverrides.lessonId, lessonId), sql`withdrawn_at is null`));
  const letPass = async (courseId: number, lessonId: number, reason: string | null) => {
    const found = (await publishReport(courseId)).lessons.find(({ id }) => id === lessonId)!.findings;
    for (const { key, severity } of found) {
      if (severity !== 'error') continue;
      const answer = await call(override, 'PUT', courseId, { lessonId, finding: key, reason });
      expect(answer.status, answer.text).toBe(200);
    }
  };

  it('in a lesson that stays as it is holds after the others are published, and what was let pass of it', async () => {
    const course = await makeCourse();
    const [text, coding, fine] = [
      await makeLesson(course.id, { content: 'Old words.' }),
      await makeLesson(course.id, { ...CODING, testCases: [...CODING.testCases] }),
      await makeLesson(course.id, { content: 'Fine as it is.' }),
    ];
    await save(course.id, text.id, { content: 'New words.' });
    await check(course.id);
    await letPass(course.id, coding.id, 'A joke about 19.');
    await publish(course.id);
    expect(await isProven(fine.id)).toBe(true);
    expect(await isProven(coding.id)).toBe(true);
    expect(await open(coding.id)).toHaveLength(1);

    await save(course.id, text.id, { content: 'Newer words.' });
    await check(course.id);
    await letPass(course.id, coding.id, null);
    await publish(course.id);
    expect(await isProven(coding.id)).toBe(false);
    expect(await open(coding.id)).toEqual([]);
    // Where the changes go, it is said of the lesson all the same.
    await save(course.id, text.id, { content: 'Newest words.' });
    await check(course.id);
    await letPass(course.id, coding.id, 'A joke about 19.');
    await discard(course.id, { what: 'all' });
    expect(await open(coding.id)).toHaveLength(1);
    await save(course.id, text.id, { content: 'Newest words.' });
    await check(course.id);
    await letPass(course.id, coding.id, null);
    await discard(course.id, { what: 'all' });
    expect(await open(coding.id)).toEqual([]);
    expect(await isProven(coding.id)).toBe(false);
  });
});

describe('what leads to what goes', () => {
  it('is looked at again: to a new lesson that is not to come any more', async () => {
    const course = await makeCourse();
    const lesson = await makeLesson(course.id, { content: 'Old words.' });
    const made = await call(create, 'POST', course.id, { type: 'text', title: 'D', content: 'Words.' });
    await save(course.id, lesson.id, { content: `[On](/learn/${course.id}?lesson=${made.body.id})` });
    expect((await check(course.id)).ready).toBe(true);
    await call(remove, 'DELETE', made.body.id);
    expect((await publish(course.id)).run).toMatchObject({ outcome: 'faulty' });
    expect((await rowOf(lesson.id))!.content).toBe('Old words.');
  });

  it('is looked at again: to the scenario of a removed lesson, and from the question of a quiz', async () => {
    const course = await makeCourse();
    const played = await makeLesson(course.id, { type: 'scenario', content: '' });
    const [scenario] = await db()
      .insert(scenarios)
      .values({
        lessonId: played.id,
        title: 'Played',
        scenarioType: 'debugging',
        initialState: {},
        goals: [],
        timeLimit: 10,
      })
      .returning();
    const text = await makeLesson(course.id, { content: `[Play](/scenario/${scenario!.id})` });
    const quiz = await makeLesson(course.id, { type: 'quiz', content: '' });
    await db()
      .insert(quizQuestions)
      .values({
        ...QUESTION,
        explanation: `See [there](/learn/${course.id}?lesson=${played.id}).`,
        lessonId: quiz.id,
        order: 1,
      });
    await db()
      .update(lessons)
      .set({ provenRevision: lessons.revision })
      .where(eq(lessons.courseId, course.id));
    await call(remove, 'DELETE', played.id);
    const after = await publish(course.id);
    expect(after.run).toMatchObject({ outcome: 'faulty', total: 2 });
    for (const { id } of [text, quiz])
      expect(after.lessons.find((one) => one.id === id)!.state, String(id)).toBe('failed');
  });
});

describe('what leads to a file', () => {
  it('is looked at again where the lesson that had it gets another one', async () => {
    const course = await makeCourse();
    const has = await makeLesson(course.id, { type: 'document', content: '', fileUrl: '/files/a/old.pdf' });
    const text = await makeLesson(course.id, { content: '[The paper](/files/a/old.pdf)' });
    await db()
      .update(lessons)
      .set({ provenRevision: lessons.revision })
      .where(eq(lessons.courseId, course.id));
    const working = await db().transaction((tx) => lockForChange(tx, course.id));
    await db()
      .update(lessons)
      .set({ fileUrl: '/files/b/new.pdf', version: 2 })
      .where(eq(lessons.draftOf, has.id));
    const copy = await db().select().from(lessons).where(eq(lessons.draftOf, text.id));
    expect(await lessonsToProve(working, db())).toContainEqual({
      id: copy[0]!.id,
      isProven: true,
      isOpen: true,
    });
  });
});

describe('what learners have', () => {
  it('is all there after a quiz and a scenario were published', async () => {
    const course = await makeCourse();
    const quiz = await makeLesson(course.id, { type: 'quiz', content: '' });
    const played = await makeLesson(course.id, { type: 'scenario', content: '' });
    const [question] = await db()
      .insert(quizQuestions)
      .values({ ...QUESTION, lessonId: quiz.id, order: 1 })
      .returning();
    const [scenario] = await db()
      .insert(scenarios)
      .values({
        ...{ lessonId: played.id, title: 'Played', scenarioType: 'debugging', timeLimit: 10 },
        ...{ initialState: {}, goals: [], definition: SCENARIO },
      })
      .returning();
    const learner = await makeUser();
    await makeEnrollment(learner.id, course.id, { completedAt: new Date(), currentLessonId: quiz.id });
    const keys = { userId: learner.id, lessonId: quiz.id };
    const now = new Date();
    for (const lessonId of [quiz.id, played.id]) {
      const key = { ...keys, lessonId, courseId: course.id };
      await db()
        .insert(lessonProgress)
        .values({ ...key, completed: true, notes: 'Mine' });
      await db()
        .insert(pointsLedger)
        .values({ ...key, points: 10 });
    }
    await db()
      .insert(quizAttempts)
      .values({ ...keys, answers: { [question!.id]: 1 }, score: 100, passed: true });
    await db()
      .insert(reviewItems)
      .values({ ...keys, due: now, stability: 1, difficulty: 2, lastReview: now });
    await db()
      .insert(lessonQuestions)
      .values({ ...keys, key: 'k', body: 'Why?' });
    await db()
      .insert(scenarioProgress)
      .values({
        ...{ userId: learner.id, scenarioId: scenario!.id, deadline: now },
        ...{ currentState: {}, engineRun: {}, definition: {} },
      });
    const tables = [
      lessonProgress,
      pointsLedger,
      quizAttempts,
      reviewItems,
      lessonQuestions,
      scenarioProgress,
    ];
    const all = () => Promise.all(tables.map((table) => db().select().from(table)));
    const before = await all();

    const working = await db().transaction((tx) => lockForChange(tx, course.id));
    const copies = await db().select().from(lessons).where(eq(lessons.courseId, working.id));
    for (const { id, type } of copies) {
      await db().update(lessons).set({ title: 'Other', version: 2 }).where(eq(lessons.id, id));
      if (type === 'quiz') {
        await db()
          .insert(quizQuestions)
          .values({ ...QUESTION, lessonId: id, order: 0 });
      } else {
        const definition = { ...SCENARIO, title: 'Other' };
        await db().update(scenarios).set({ definition }).where(eq(scenarios.lessonId, id));
      }
    }
    await db()
      .update(lessons)
      .set({ provenRevision: lessons.revision })
      .where(eq(lessons.courseId, working.id));
    await publish(course.id);
    expect((await rowOf(quiz.id))!.title).toBe('Other');
    expect(await all()).toEqual(before);
    expect(
      await db().$count(
        quizQuestions,
        and(eq(quizQuestions.id, question!.id), eq(quizQuestions.lessonId, quiz.id)),
      ),
    ).toBe(1);
    const [after] = await db().select().from(scenarios).where(eq(scenarios.lessonId, played.id));
    expect(after).toMatchObject({ id: scenario!.id, definition: { title: 'Other' }, version: 2 });
  });
});

describe('the copy', () => {
  it('takes nobody in: it could not go any more', async () => {
    const course = await makeCourse();
    const lesson = await makeLesson(course.id);
    await save(course.id, lesson.id, { content: 'Other words.' });
    const learner = await makeUser();
    const copy = (await copyOf(course.id))!;
    const answer = await call(enroll, 'POST', learner.id, { courseId: copy.id, reason: 'A test of it.' });
    expect(answer.status, answer.text).toBe(404);
    expect((await publish(course.id)).run).toMatchObject({ outcome: 'published' });
  });

  it('of a course that is deleted while somebody waits for it is simply not there', async () => {
    const course = await makeCourse();
    const lesson = await makeLesson(course.id);
    await save(course.id, lesson.id, { content: 'Other words.' });
    const copy = (await copyOf(course.id))!;
    const [held, waited] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const going = db().transaction(async (tx) => {
      await lockWorking(tx, course.id);
      held.resolve();
      await waited.promise;
      await tx.delete(courses).where(eq(courses.id, course.id));
    });
    await held.promise;
    const asked = db().transaction((tx) => lockWorking(tx, copy.id));
    await somebodyWaits();
    waited.resolve();
    await going;
    expect(await asked).toBeNull();
  });

  it('that goes while somebody begins to look at it shows the course', async () => {
    const course = await makeCourse();
    const lesson = await makeLesson(course.id);
    await save(course.id, lesson.id, { content: 'Other words.' });
    const copy = (await copyOf(course.id))!;
    const [held, waited] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const going = db().transaction(async (tx) => {
      await lockWorking(tx, course.id);
      held.resolve();
      await waited.promise;
      await tx.delete(courses).where(eq(courses.id, copy.id));
    });
    await held.promise;
    const asked = call(previewRoute, 'POST', course.id, {});
    await somebodyWaits();
    waited.resolve();
    await going;
    const answer = await asked;
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body.href).toBe(`/learn/${course.id}`);
  });
});
