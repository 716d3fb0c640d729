import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { readFile, rm } from 'node:fs/promises';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { and, desc, eq } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { db } from '#db/client.ts';
import { storedFileLocation } from '#db/file-store.ts';
import { makeAdmin, makeCourse, makeLesson } from '../../support/factories.ts';
import { auditLog } from '#db/schema/account.ts';
import { mailOutbox } from '#db/schema/machinery.ts';
import {
  courses,
  publishChecks,
  findingOverrides,
  publishRuns,
  lessons,
  pictures,
} from '#db/schema/catalogue.ts';
import { quizQuestions } from '#db/schema/learn.ts';
import { scenarios } from '#db/schema/scenario.ts';
import { thingsToDo } from '#src/features/admin/insights/analytics.server.ts';
import { lessonJob, resumePublishChecks } from '#src/features/authoring/publishing/publish-check.server.ts';
import { proveLesson } from '#src/features/authoring/publishing/check-lessons.server.ts';
import { checkLink, linksOf } from '#src/features/authoring/publishing/check-links.server.ts';
import { isPublicAddress } from '#src/server/http/outside.ts';
import type { PublishReport } from '#src/features/authoring/publishing/publish-check.ts';
import { unprovenReasons } from '#src/features/catalogue/unproven.server.ts';
import * as judgeClient from '#src/judge/client.ts';
import * as publishCheckRoute from '#src/pages/api/admin/courses/[id]/publish-check.ts';
import { PUT as override } from '#src/pages/api/admin/courses/[id]/publish-check/override.ts';
import { DELETE as deleteLesson, PUT as updateLesson } from '#src/pages/api/admin/lessons/[id].ts';
import { POST as createCourse } from '#src/pages/api/courses.ts';
import { GET as readCourse, PUT as updateCourse } from '#src/pages/api/courses/[id].ts';
import { PUT as toggle } from '#src/pages/api/courses/[id]/toggle.ts';
import { env, setEnvironment } from '#src/server/start/env.ts';
import { fileStore, saveFile } from '#src/server/files/files.ts';
import { storeFile } from '#db/stored-files.ts';
import * as jobs from '#src/server/jobs.ts';
import { callRoute, signIn } from '../../support/api.ts';
import { work } from '../../support/publishing.ts';
import { moveBack } from '../../support/move-back.ts';

// The judge is the real one; single tests replace it once, to provoke what it would hardly do.
vi.mock('#src/judge/client.ts', { spy: true });
const judge = vi.mocked(judgeClient.judge);
// Jobs are sent as always and worked on here, so that tests decide when.
vi.mock('#src/server/jobs.ts', { spy: true });
const sendJob = vi.mocked(jobs.sendJob);
afterEach(() => {
  judge.mockReset();
  sendJob.mockClear();
});
afterAll(() => judgeClient.stopJudge());

let admin: Awaited<ReturnType<typeof makeAdmin>>;
let as: Awaited<ReturnType<typeof signIn>>;
beforeAll(async () => {
  admin = await makeAdmin({ username: 'Grace Hopper' });
  as = await signIn(admin);
});

type Route = Parameters<typeof callRoute>[0];
const call = (route: Route, method: string, id: number, body?: unknown) =>
  callRoute(route, { method, params: { id: String(id) }, as, ...(body === undefined ? {} : { body }) });
const report = async (id: number): Promise<PublishReport> =>
  (await call(publishCheckRoute.GET, 'GET', id)).body;
const start = (id: number) => call(publishCheckRoute.POST, 'POST', id);
const show = (id: number) => call(toggle, 'PUT', id);
const rowOf = async (id: number) => (await db().select().from(courses).where(eq(courses.id, id)))[0]!;
const lessonOf = async (id: number) => (await db().select().from(lessons).where(eq(lessons.id, id)))[0]!;

async function check(courseId: number): Promise<PublishReport> {
  const begun = await start(courseId);
  expect(begun.status, begun.text).toBe(202);
  await work(begun.body.run.id);
  return report(courseId);
}

const CODING = {
  type: 'interactive_coding',
  codingLanguage: 'javascript',
  content: '',
  instructions: 'Write `isAdult(age)`: true from 18 on.',
  starterCode: 'const isAdult = (age) => null;',
  solution: 'const isAdult = (age) => age >= 18;',
  testCases: [
    { input: 'isAdult(18)', expectedOutput: 'true' },
    { input: 'isAdult(17)', expectedOutput: 'false', hidden: true, description: 'Just too young' },
    { input: 'isAdult(40)', expectedOutput: 'true', hidden: true, description: 'Much older' },
  ],
} satisfies Parameters<typeof makeLesson>[1];

const messages = ({ lessons: all }: PublishReport, severity = 'error') =>
  all.flatMap(({ findings }) =>
    findings.filter((one) => one.severity === severity).map(({ field, message }) => `${field}: ${message}`),
  );

const hidden = (values: Parameters<typeof makeCourse>[0] = {}) => makeCourse({ isActive: false, ...values });

describe('a course whose lessons work', () => {
  it('is in the store before it is checked, and says what is not proven until it is', async () => {
    const course = await hidden();
    await makeLesson(course.id, CODING);
    await makeLesson(course.id, { content: 'See [the second part](#part) and [us](/about).' });
    const quiz = await makeLesson(course.id, { type: 'quiz', content: '' });
    await db()
      .insert(quizQuestions)
      .values({
        lessonId: quiz.id,
        question: '2 + 2?',
        options: ['3', '4'],
        correctAnswer: 1,
        explanation: 'Sums.',
        order: 1,
      });

    const shown = await show(course.id);
    expect([shown.status, shown.body]).toMatchObject([200, { isActive: true }]);
    expect(shown.body.unproven).toEqual(
      (await report(course.id)).lessons.map(({ id, title }) => ({
        code: 'not_checked',
        message: `“${title}” is not proven to work as it is now. Check the course.`,
        lessonId: id,
      })),
    );
    const begun = await start(course.id);
    expect(begun.body).toMatchObject({
      ready: false,
      run: { status: 'running', startedBy: 'Grace Hopper', done: 0, total: 3 },
    });
    expect(begun.body.lessons.map(({ state }: { state: string }) => state)).toEqual([
      'waiting',
      'waiting',
      'waiting',
    ]);
    await work(begun.body.run.id);
    const done = await report(course.id);
    expect(messages(done)).toEqual([]);
    expect(done).toMatchObject({ ready: true, obstacle: '', run: { status: 'finished', done: 3, total: 3 } });
    expect(done.lessons.map(({ state }) => state)).toEqual(['proven', 'proven', 'proven']);
    expect(done.lessons[0]!.facts.mutations).toBeGreaterThan(0);
    expect(done.lessons[0]!.facts.caught).toBe(done.lessons[0]!.facts.mutations);
    expect((await call(readCourse, 'GET', course.id)).body).not.toHaveProperty('unproven');
    const [entry] = await db()
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.action, 'course.checked'), eq(auditLog.subjectId, String(course.id))));
    expect(entry).toMatchObject({ actorId: admin.id, details: { title: course.title, lessons: 3 } });
  });

  it('stays visible and proven while a lesson of it is edited', async () => {
    const before = (await thingsToDo()).unprovenCourses.count;
    const course = await hidden({ title: 'Edited while visible' });
    const lesson = await makeLesson(course.id);
    await check(course.id);
    await show(course.id);
    expect((await thingsToDo()).unprovenCourses.count).toBe(before);

    const { version } = await lessonOf(lesson.id);
    const saved = await call(updateLesson, 'PUT', lesson.id, {
      type: 'text',
      title: lesson.title,
      content: 'Other words.',
      version,
    });
    expect(saved.status, saved.text).toBe(200);
    expect((await rowOf(course.id)).isActive).toBe(true);
    expect((await thingsToDo()).unprovenCourses.count).toBe(before);
    expect(await report(course.id)).toMatchObject({
      ready: false,
      lessons: [{ state: 'changed', findings: [] }],
    });

    expect((await show(course.id)).body).toMatchObject({ isActive: false });
    expect((await show(course.id)).body).toMatchObject({ isActive: true });
    await check(course.id);
    expect((await thingsToDo()).unprovenCourses.count).toBe(before);
  });

  it('stays in the store when a check finds a fault, which is told until it is mended or let pass', async () => {
    const course = await hidden();
    const lesson = await makeLesson(course.id, CODING);
    await show(course.id);
    await check(course.id);
    const setSolution = (solution: string) =>
      db().update(lessons).set({ solution }).where(eq(lessons.id, lesson.id));
    const reasons = async () => (await unprovenReasons([course.id])).get(course.id) ?? [];
    expect(await reasons()).toEqual([]);
    await setSolution('const isAdult = (age) => age > 18;');
    const found = await check(course.id);
    expect((await rowOf(course.id)).isActive).toBe(true);
    expect(await reasons()).toEqual([
      {
        code: 'finding',
        message: `“${lesson.title}”: ${found.lessons[0]!.findings[0]!.message}`,
        lessonId: lesson.id,
      },
    ]);
    const pass = (reason: string | null) =>
      call(override, 'PUT', course.id, {
        lessonId: lesson.id,
        finding: found.lessons[0]!.findings[0]!.key,
        reason,
      });
    expect((await pass('Known, and mended on Monday.')).status).toBe(200);
    expect(await reasons()).toEqual([]);
    await pass(null);
    expect(await reasons()).toHaveLength(1);
    await setSolution(CODING.solution);
    await check(course.id);
    expect(await reasons()).toEqual([]);
    await db().delete(lessons).where(eq(lessons.id, lesson.id));
    expect(await reasons()).toEqual([{ code: 'no_lessons', message: 'The course has no lessons yet.' }]);
    expect((await rowOf(course.id)).isActive).toBe(true);
  });

  it('is told by mail to who shows it, once, where something in it does not work', async () => {
    const course = await hidden({ title: 'Shown with a fault', createdBy: admin.id });
    await makeLesson(course.id, { ...CODING, solution: 'const isAdult = (age) => age > 18;' });
    const mails = () => db().select().from(mailOutbox).where(eq(mailOutbox.template, 'course-unproven'));
    await show(course.id);
    await check(course.id);
    const told = await mails();
    expect(told.map(({ recipient }) => recipient)).toEqual([admin.email]);
    expect(told[0]!.text).toContain('The course is in the store, and');
    await check(course.id);
    expect(await mails()).toHaveLength(1);
  });

  it('comes into the store by itself where it waits for its proof, also by the removal of what had none', async () => {
    const waiting = () => hidden({ activateWhenProven: true });
    const [sound, faulty] = [await waiting(), await waiting()];
    await makeLesson(sound.id, CODING);
    await check(sound.id);
    expect(await rowOf(sound.id)).toMatchObject({ isActive: true, activateWhenProven: false, version: 2 });
    await makeLesson(faulty.id);
    const fault = await makeLesson(faulty.id, {
      ...CODING,
      solution: 'const isAdult = (age) => age > 18;',
    });
    await check(faulty.id);
    expect(await rowOf(faulty.id)).toMatchObject({ isActive: false, activateWhenProven: true });
    expect((await call(deleteLesson, 'DELETE', fault.id)).status).toBe(200);
    expect(await rowOf(faulty.id)).toMatchObject({ isActive: true, activateWhenProven: false });
    const shown = await db()
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.action, 'course.shown'), eq(auditLog.subjectId, String(faulty.id))));
    expect(shown).toMatchObject([{ actorId: null, actorName: 'Publish check' }]);
  });

  it('waits where PUBLISH_CHECK is required, stays in the store with a fault, and nothing is let pass', async () => {
    setEnvironment({ PUBLISH_CHECK: 'required' });
    try {
      const course = await hidden();
      const lesson = await makeLesson(course.id, CODING);
      const waits = { isActive: false, activateWhenProven: true };
      expect((await show(course.id)).body).toMatchObject(waits);
      expect((await show(course.id)).body).toMatchObject({ isActive: false, activateWhenProven: false });
      expect((await show(course.id)).body).toMatchObject(waits);
      await check(course.id);
      expect((await rowOf(course.id)).isActive).toBe(true);
      await db()
        .update(lessons)
        .set({ solution: 'const isAdult = (age) => age > 18;' })
        .where(eq(lessons.id, lesson.id));
      expect((await rowOf(course.id)).isActive).toBe(true);
      const { lessons: found, mayLetPass } = await check(course.id);
      expect(await rowOf(course.id)).toMatchObject({ isActive: true, activateWhenProven: false });
      expect(mayLetPass).toBe(false);
      const body = { lessonId: lesson.id, finding: found[0]!.findings[0]!.key, reason: 'Known and wanted.' };
      expect((await call(override, 'PUT', course.id, body)).status).toBe(409);
    } finally {
      setEnvironment({ PUBLISH_CHECK: undefined });
    }
  });

  it('loses its proof by changes of what is checked, in whatever table, and by no others', async () => {
    const course = await hidden();
    const quiz = await makeLesson(course.id, { type: 'quiz', content: '' });
    const [question] = await db()
      .insert(quizQuestions)
      .values({
        lessonId: quiz.id,
        question: '2 + 2?',
        options: ['3', '4'],
        correctAnswer: 1,
        explanation: 'Sums.',
        order: 1,
      })
      .returning();
    const proven = async () => {
      const { revision, provenRevision } = await lessonOf(quiz.id);
      return revision === provenRevision;
    };
    await check(course.id);
    expect(await proven()).toBe(true);
    await db()
      .update(lessons)
      .set({ order: 7, title: 'Other', points: 3, section: 'S', content: '' })
      .where(eq(lessons.id, quiz.id));
    await db().update(quizQuestions).set({ order: 4 }).where(eq(quizQuestions.id, question!.id));
    expect(await proven()).toBe(true);
    for (const change of [
      () => db().update(quizQuestions).set({ correctAnswer: 0 }).where(eq(quizQuestions.id, question!.id)),
      () => db().delete(quizQuestions).where(eq(quizQuestions.id, question!.id)),
      () => db().update(lessons).set({ content: 'Words' }).where(eq(lessons.id, quiz.id)),
    ]) {
      await db()
        .update(lessons)
        .set({ provenRevision: (await lessonOf(quiz.id)).revision })
        .where(eq(lessons.id, quiz.id));
      expect(await proven()).toBe(true);
      await change();
      expect(await proven()).toBe(false);
    }
  });
});

describe('showing a course', () => {
  it('is stored and answered as sent, without lessons too, and a repeated edit goes through', async () => {
    const body = {
      title: 'Empty',
      description: 'Nothing yet.',
      thumbnail: '/favicon.svg',
      price: '0.00',
      duration: '1 hour',
      level: 'Beginner',
      categoryId: 1,
      isActive: true,
    };
    const made = await callRoute(createCourse, { body, as });
    const unproven = [{ code: 'no_lessons', message: 'The course has no lessons yet.' }];
    expect([made.status, made.body]).toMatchObject([201, { isActive: true, unproven }]);
    const again = await call(updateCourse, 'PUT', made.body.id, body);
    expect([again.status, again.body]).toMatchObject([200, { isActive: true, unproven }]);
    const off = await show(made.body.id);
    expect([off.status, off.body]).toEqual([
      200,
      {
        id: made.body.id,
        isActive: false,
        activateWhenProven: false,
        unproven,
        version: 2,
      },
    ]);
    const on = await show(made.body.id);
    expect([on.status, on.body]).toMatchObject([200, { isActive: true, unproven, version: 3 }]);
    expect(
      (await call(updateCourse, 'PUT', made.body.id, { ...body, isActive: false, title: 'Other' })).status,
    ).toBe(200);
    expect(await rowOf(made.body.id)).toMatchObject({ isActive: false, title: 'Other' });
    const empty = await check(made.body.id);
    expect(empty).toMatchObject({ ready: false, run: { status: 'finished', total: 0 }, lessons: [] });
    expect((await call(publishCheckRoute.POST, 'POST', 2_147_483_647)).status).toBe(404);
  });
});

it('a title that the PDF of a certificate cannot show is a warning', async () => {
  for (const [title, count] of [
    ['Łódź and Köln', 0],
    ['データ入門', 1],
  ] as const) {
    const { id } = await hidden({ title });
    await makeLesson(id, { content: 'A text.' });
    const { findings } = await check(id);
    expect(findings.filter(({ field }) => field === 'title')).toHaveLength(count);
  }
});

describe('a coding lesson', () => {
  const findingsOf = async (values: Parameters<typeof makeLesson>[1]) => {
    const course = await hidden();
    await makeLesson(course.id, { ...CODING, ...values });
    const found = await check(course.id);
    expect((await show(course.id)).body.unproven === undefined).toBe(messages(found).length === 0);
    return found;
  };

  it('needs a solution, and something to compare with', async () => {
    expect(
      messages(await findingsOf({ solution: '', testCases: [], expectedOutput: null, instructions: ' ' })),
    ).toEqual([
      'testCases: There is nothing to compare with: add tests, or say what the program must print.',
      'solution: There is no reference solution, so nobody knows that the lesson can be solved.',
      'instructions: The instructions are empty: nobody knows what to write.',
    ]);
  });

  it('needs a solution that passes', async () => {
    expect(messages(await findingsOf({ solution: 'const isAdult = (age) => age > 18;' }))).toEqual([
      'solution: The reference solution gives a wrong answer. Test 1, “isAdult(18)”, expects “true” and gets “false”.',
    ]);
    expect(messages(await findingsOf({ solution: 'const isAdult = (age) =>' }))[0]).toMatch(
      /^solution: The reference solution does not parse\. .*SyntaxError: .*\(line 1\)/,
    );
  });

  it('needs a starter that does not pass, and tests that an empty program fails', async () => {
    expect(
      messages(await findingsOf({ starterCode: 'function isAdult(age) { return age >= 18; }' })),
    ).toEqual(['starterCode: The starter code passes the tests before anything is written.']);
    const easy = [{ input: '1 + 1', expectedOutput: '2' }];
    expect(messages(await findingsOf({ testCases: easy }))).toContain(
      'testCases: An empty program passes the tests.',
    );
  });

  it('needs tests that give the same verdict every time', async () => {
    let run = 0;
    judge.mockImplementation(async () => {
      run += 1;
      const passed = run === 1;
      return {
        kind: passed ? 'pass' : 'wrong_answer',
        output: '',
        outputTruncated: false,
        error: null,
        tests: CODING.testCases.map(() => ({
          kind: passed ? 'pass' : 'wrong_answer',
          passed,
          got: String(run),
          output: '',
          error: null,
        })),
        durationMs: 1,
      } as Awaited<ReturnType<typeof judgeClient.judge>>;
    });
    const [flaky] = messages(await findingsOf({}));
    expect(flaky).toBe(
      'testCases: The reference solution passes in one run and not in another. Test 1, “isAdult(18)”, expects “true” and gets “2”.',
    );
  });

  it('shows which changes of the solution its tests do not notice', async () => {
    const found = await findingsOf({
      testCases: [
        { input: 'isAdult(40)', expectedOutput: 'true' },
        { input: 'isAdult(3)', expectedOutput: 'false', hidden: true, description: 'A child' },
      ],
    });
    expect(found.lessons[0]!.findings).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          severity: 'warning',
          field: 'testCases',
          message: 'No test notices this change of line 1 of the solution.',
          mutation: {
            line: 1,
            original: 'const isAdult = (age) => age >= 18;',
            mutated: 'const isAdult = (age) => age > 18;',
          },
        }),
      ]),
    );
    // A few survivors are advice; tests that notice next to nothing are an error.
    expect(messages(found)).toEqual([]);
    const weak = await findingsOf({
      solution:
        'function isAdult(age) {\n  const limit = 17 + 1;\n  if (age < 0) return false;\n  return age >= limit || age > 100;\n}',
      testCases: [{ input: 'typeof isAdult(40)', expectedOutput: 'boolean' }],
    });
    expect(messages(weak)[0]).toMatch(
      /^testCases: The tests notice only \d of \d+ small changes of the solution/,
    );
  });

  it('needs what is said of an expected mistake to be said of the program that makes it, and of no other', async () => {
    const older = { say: 'From 18 on.', code: '> 18', program: 'const isAdult = (age) => age > 18;' };
    const none = { say: 'It gives nothing.', result: 'undefined', program: 'const isAdult = (age) => {};' };
    const every = { ...older, code: 'isAdult', result: 'wrong_answer' };
    const course = await hidden();
    const add = (expectedMistakes: (typeof lessons.$inferInsert)['expectedMistakes'], more: object = {}) =>
      makeLesson(course.id, { ...CODING, expectedMistakes, ...more });
    await add([older, none]);
    await add([
      { ...older, program: `${CODING.solution} // > 18` },
      none,
      { ...none, say: 'Again' },
      { ...older, code: 'age < 18' },
    ]);
    await add([{ ...older, code: 'age' }]);
    await add([{ say: 'A name', result: 'ReferenceError', program: 'const adult = 1;' }]);
    await add([{ ...every, code: undefined }]);
    await add([every], { starterCode: '' });
    const found = await check(course.id);
    expect(found.lessons.map((one) => messages({ ...found, lessons: [one] }))).toEqual([
      [],
      [
        'expectedMistakes: Expected mistake 1: its program passes, so it makes no mistake.',
        'expectedMistakes: Expected mistake 3: expected mistake 2 speaks for its program, as it comes first.',
        'expectedMistakes: Expected mistake 4: expected mistake 1 speaks for its program, as it comes first.',
      ],
      ['expectedMistakes: Expected mistake 1: the reference solution has its code too.'],
      ['expectedMistakes: Expected mistake 1: it speaks for an empty program too.'],
      ['expectedMistakes: Expected mistake 1: it speaks for the unchanged starter code too.'],
      [expect.stringMatching(/^expectedMistakes: Expected mistake 1: it speaks for all \d+ other wrong/)],
    ]);
    const { revision } = await lessonOf(found.lessons[0]!.id);
    await db()
      .update(lessons)
      .set({ expectedMistakes: [none, older] })
      .where(eq(lessons.id, found.lessons[0]!.id));
    expect((await lessonOf(found.lessons[0]!.id)).revision).toBe(revision + 1);
  });

  it('that the judge gives no verdict about is tried again, and says so in the end', async () => {
    const course = await hidden();
    const lesson = await makeLesson(course.id, CODING);
    const fault = Object.assign(new Error('broken'), { name: 'JudgeUnavailable', reason: 'failed' });
    const { body } = await start(course.id);
    judge.mockRejectedValue(fault);
    const data = { runId: body.run.id, lessonId: lesson.id };
    await expect(lessonJob.run(data, { isLast: false })).rejects.toThrow('broken');
    expect((await report(course.id)).lessons[0]!.state).toBe('running');
    await lessonJob.run(data, { isLast: true });
    expect(messages(await report(course.id))).toEqual([
      'content: The lesson could not be checked because of a fault on our side. Check the course again.',
    ]);
    judge.mockReset();
    expect(messages(await check(course.id))).toEqual([]);
  });
});

describe('lessons of other types', () => {
  it('need their text, file, length and questions', async () => {
    const course = await hidden();
    await makeLesson(course.id, { content: '  ' });
    await makeLesson(course.id, { type: 'video', content: '', watchRequired: true });
    await makeLesson(course.id, { type: 'document', content: '' });
    await makeLesson(course.id, { type: 'quiz', content: '' });
    await makeLesson(course.id, { type: 'scenario', content: '' });
    const quiz = await makeLesson(course.id, { type: 'quiz', content: '' });
    await db()
      .insert(quizQuestions)
      .values({
        lessonId: quiz.id,
        question: ' ',
        options: ['same', 'same', ''],
        correctAnswer: 2,
        order: 1,
      });
    expect(messages(await check(course.id))).toEqual([
      'content: The lesson has no text.',
      'fileUrl: The video has no file.',
      'durationSeconds: The video must be watched, but its length is not known, so nobody can complete it.',
      'fileUrl: The document has no file.',
      'questions: The quiz has no questions.',
      'scenario: The scenario is missing.',
      'questions: Question 1 is empty.',
      'questions: Question 1 needs at least two options, none of them empty.',
      'questions: Question 1 has no right answer.',
      'questions: Question 1 offers the same option twice.',
    ]);
    expect(messages(await report(course.id), 'warning')).toEqual([
      'questions: Question 1 has no explanation: who is wrong learns only that.',
    ]);
  });

  it('draw from the other quizzes of their course what is there', async () => {
    const course = await hidden();
    const bank = await makeLesson(course.id, { type: 'quiz', content: '' });
    await db()
      .insert(quizQuestions)
      .values({
        lessonId: bank.id,
        question: 'Which?',
        options: ['a', 'b'],
        correctAnswer: 1,
        explanation: 'Why.',
        details: { tags: ['x'] },
        order: 1,
      });
    await makeLesson(course.id, {
      type: 'quiz',
      content: '',
      quizSettings: { draw: [{ tag: 'x', count: 2, from: 'course' }] },
    });
    expect(messages(await check(course.id))).toEqual([
      'quizSettings: 2 are to be drawn of 1 with the tag “x”.',
    ]);
  });

  it('need files that are there, with all their bytes', async () => {
    const file = await saveFile({
      area: 'files',
      originalName: 'notes.txt',
      bytes: new TextEncoder().encode(`Notes ${Date.now()}`),
    });
    const course = await hidden();
    await makeLesson(course.id, { type: 'document', content: '', fileUrl: file.path });
    expect(messages(await check(course.id))).toEqual([]);
    await rm(storedFileLocation(env().dataDir, file.sha256));
    const lost = await check(course.id);
    expect(messages(lost)).toEqual([`fileUrl: The file: ${file.path} has lost its bytes: upload it again.`]);
    // The same content, and yet it does not work any more.
    expect(lost.ready).toBe(false);
    await makeLesson(course.id, { content: 'One\n\n![Plan](/media/nothing/plan.png)' });
    expect(messages(await check(course.id))[1]).toBe(
      'content: Line 3: /media/nothing/plan.png is no file of this site.',
    );
  });

  it('need a scenario that passes its own check', async () => {
    const definition = {
      title: 'Empty shelf',
      description: 'Nothing is there.',
      type: 'debugging',
      timeLimit: 5,
      state: { fixed: false },
      panels: [{ title: 'Now', facts: [{ label: 'Fixed', value: { var: 'fixed' } }] }],
      goals: [{ id: 'fixed', title: 'It is fixed', weight: 1, required: true, when: { var: 'fixed' } }],
      rules: [{ id: 'look', title: 'Look', phrases: ['look around'], feedback: 'Nothing.' }],
    };
    const course = await hidden();
    const lesson = await makeLesson(course.id, { type: 'scenario', content: '' });
    await db().insert(scenarios).values({
      lessonId: lesson.id,
      title: definition.title,
      scenarioType: 'debugging',
      initialState: definition.state,
      goals: definition.goals,
      definition,
      timeLimit: 5,
    });
    expect(messages(await check(course.id))).toContain(
      'scenario: goals.fixed: No way leads to the goal "It is fixed".',
    );
    const rules = [
      {
        id: 'fix',
        title: 'Fix',
        phrases: ['fix it'],
        feedback: 'Done.',
        effects: [{ op: 'replace', path: '/fixed', value: true }],
      },
    ];
    await db()
      .update(scenarios)
      .set({ definition: { ...definition, rules } })
      .where(eq(scenarios.lessonId, lesson.id));
    const fixed = await check(course.id);
    expect(messages(fixed)).toEqual([]);
    expect(fixed.lessons[0]!.facts.states).toBeGreaterThan(1);
  });
});

describe('links', () => {
  let web: Server;
  let port: number;
  const asked: string[] = [];
  beforeAll(async () => {
    web = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      const status = Number(/^\/(\d{3})/.exec(request.url!)?.[1] ?? 200);
      const to = new URL(request.url!, 'http://x').searchParams.get('to');
      if (request.url === '/slow') return;
      if (request.url === '/get-only' && request.method === 'HEAD') response.statusCode = 405;
      else response.statusCode = status;
      if (to) response.setHeader('location', to);
      response.end('x'.repeat(100_000));
    });
    await new Promise<void>((done) => web.listen(0, '127.0.0.1', done));
    port = (web.address() as AddressInfo).port;
  });
  afterAll(() => new Promise((done) => web.close(done).closeAllConnections()));

  const names: Record<string, string> = { 'books.test': '127.0.0.1', 'inner.test': '10.0.0.7' };
  const network = {
    resolve: async (host: string) => {
      if (!names[host]) throw Object.assign(new Error('none'), { code: 'ENOTFOUND' });
      return [{ address: names[host], family: 4 }];
    },
    isAllowed: (address: string, at: number) => address === '127.0.0.1' && at === port,
  };
  const ask = (path: string) => checkLink(`http://books.test:${port}${path}`, network);

  it('answer, or say how they do not', async () => {
    expect(await ask('/')).toEqual({ kind: 'fine' });
    expect(await ask('/get-only')).toEqual({ kind: 'fine' });
    expect(await ask('/404')).toEqual({ kind: 'broken', why: 'answers 404: nothing is there' });
    expect(await ask('/503')).toEqual({ kind: 'unsure', why: 'answers 503' });
    expect(await ask(`/301?to=${encodeURIComponent('/fine')}`)).toEqual({ kind: 'fine' });
    expect(await ask('/302?to=/302%3Fto%3D%2F302')).toMatchObject({ kind: 'fine' });
    expect(await checkLink('http://nowhere.test/', network)).toMatchObject({
      kind: 'broken',
      why: /does not exist/,
    });
  });

  it('say so where a name has no address, and end nothing where an answer goes wrong after its head', async () => {
    const none = { ...network, resolve: async () => [] };
    expect(await checkLink('http://books.test/', none)).toEqual({
      kind: 'unsure',
      why: 'could not be reached',
    });
    const rude = createTcpServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => {
        socket.end(
          'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nno length\r\nHTTP/1.1 500 Again\r\n\r\n',
        );
      });
    });
    await new Promise<void>((done) => rude.listen(0, '127.0.0.1', done));
    const at = (rude.address() as AddressInfo).port;
    const open = { ...network, isAllowed: (address: string) => address === '127.0.0.1' };
    expect(await checkLink(`http://books.test:${at}/`, open)).toEqual({ kind: 'fine' });
    await new Promise((done) => rude.close(done));
  });

  it('never reach into a private network, not by a name and not by a redirect', async () => {
    const before = asked.length;
    for (const address of [
      `http://127.0.0.1:${port}/`,
      'http://169.254.169.254/latest/meta-data/',
      'http://[::1]/',
      'http://[::ffff:127.0.0.1]/',
      'http://0x7f000001/',
      'http://2130706433/',
      'http://localhost/',
      'https://10.1.2.3/',
      'https://1.1.1.1:22/',
    ]) {
      expect([address, await checkLink(address)]).toMatchObject([
        address,
        { kind: 'broken', why: 'leads into a private network or to an unusual port, which is not asked' },
      ]);
    }
    expect(asked.length).toBe(before);
    for (const to of ['http://inner.test/', 'http://169.254.169.254/', `http://books.test:${port + 1}/`]) {
      expect(await ask(`/302?to=${encodeURIComponent(to)}`)).toMatchObject({
        kind: 'broken',
        why: /private network/,
      });
    }
    expect(await ask('/302?to=file:///etc/passwd')).toMatchObject({ kind: 'broken', why: /not http/ });
    expect(await checkLink('ftp://books.test/', network)).toMatchObject({ kind: 'broken' });
    expect(await checkLink('http://me:secret@books.test/', network)).toMatchObject({
      kind: 'broken',
      why: /password/,
    });
  });

  it('know what is public', () => {
    expect(['8.8.8.8', '2606:4700::1111', '93.184.216.34'].map(isPublicAddress)).toEqual([true, true, true]);
    for (const address of [
      '0.0.0.0',
      '10.0.0.1',
      '100.64.1.1',
      '172.31.0.1',
      '192.168.1.1',
      '224.0.0.1',
      '255.255.255.255',
      '::',
      '::1',
      'fe80::1',
      'fd00::1',
      '::ffff:8.8.8.8',
      '64:ff9b::7f00:1',
      '2002:7f00:1::',
      'ff02::1',
      'nonsense',
    ]) {
      expect([address, isPublicAddress(address)]).toEqual([address, false]);
    }
  });

  it('are those that readers see, with their lines', () => {
    expect(
      linksOf(
        '# A\n\n[x](https://a.test/1) and `https://b.test/`\n\n```\nhttps://c.test\n```\n\n![p](/media/k/p.png) https://d.test',
      ),
    ).toEqual([
      { address: 'https://a.test/1', line: 3, isPicture: false },
      { address: '/media/k/p.png', line: 9, isPicture: true },
      { address: 'https://d.test', line: 9, isPicture: false },
    ]);
  });

  it('become findings of their field', async () => {
    const course = await hidden();
    const lesson = await makeLesson(course.id, {
      content: `[gone](http://books.test:${port}/404)\n\n[busy](http://books.test:${port}/503)\n\n[fine](http://books.test:${port}/) [again](http://books.test:${port}/)`,
    });
    const { findings, facts } = await proveLesson(
      { lesson, questions: [], bank: [], scenario: null },
      { network },
    );
    expect(facts.links).toBe(3);
    expect(findings.map(({ severity, field, message }) => [severity, field, message])).toEqual([
      ['error', 'content', `Line 1: http://books.test:${port}/404 answers 404: nothing is there.`],
      ['warning', 'content', `Line 3: http://books.test:${port}/503 answers 503.`],
    ]);
  });
});

describe('what a page loads', () => {
  let web: Server;
  let port: number;
  const drawing = '<svg xmlns="http://www.w3.org/2000/svg"></svg>';
  beforeAll(async () => {
    const png = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#123456' } })
      .png()
      .toBuffer();
    const mp4 = await readFile('db/seed/courses/accessible-web-design/files/focus-path.mp4');
    const served: Record<string, [string | Buffer, Record<string, string>]> = {
      '/cat.png': [png, { 'content-type': 'image/png' }],
      '/untyped': [png, {}],
      '/guarded.png': [png, { 'content-type': 'text/plain', 'x-content-type-options': 'nosniff' }],
      '/own.png': [png, { 'content-type': 'image/png', 'cross-origin-resource-policy': 'same-origin' }],
      '/drawing.svg': [drawing, { 'content-type': 'image/svg+xml' }],
      '/page.png': ['<!doctype html><title>Sign in</title>', { 'content-type': 'text/html; charset=utf-8' }],
      '/liar.png': ['<!doctype html><title>Sign in</title>', { 'content-type': 'image/png' }],
      '/film.mp4': [mp4, { 'content-type': 'video/mp4' }],
      '/page.mp4': ['<!doctype html>', { 'content-type': 'text/html' }],
      '/words.vtt': ['WEBVTT\n\n00:00.000 --> 00:01.000\nHi', { 'content-type': 'text/vtt' }],
      '/plan.pdf': ['<!doctype html>', { 'content-type': 'text/html' }],
      '/guide': ['<!doctype html>', { 'content-type': 'text/html' }],
    };
    web = createServer((request, response) => {
      const [body, headers] = served[request.url!] ?? [];
      if (request.url === '/private.png') response.statusCode = 403;
      else if (!body) response.statusCode = 404;
      response.writeHead(response.statusCode, headers);
      response.end(body);
    });
    await new Promise<void>((done) => web.listen(0, '127.0.0.1', done));
    port = (web.address() as AddressInfo).port;
  });
  afterAll(() => new Promise((done) => web.close(done).closeAllConnections()));
  const network = {
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    isAllowed: (address: string, at: number) => address === '127.0.0.1' && at === port,
  };

  it.each([
    ['/cat.png', 'picture', null],
    ['/untyped', 'picture', null],
    ['/drawing.svg', 'picture', null],
    ['/page.png', 'picture', 'is a page, not a picture'],
    ['/liar.png', 'picture', 'is not a picture that browsers show'],
    ['/film.mp4', 'picture', 'is not a picture that browsers show'],
    ['/guarded.png', 'picture', 'is sent as text/plain, so that browsers do not show it as a picture'],
    ['/own.png', 'picture', 'may not be shown on pages of other sites, as its server says'],
    ['/private.png', 'picture', 'answers 403: learners may not load it'],
    ['/missing.png', 'picture', 'answers 404: nothing is there'],
    ['/film.mp4', 'video', null],
    ['/page.mp4', 'video', 'is a page, not a video'],
    ['/cat.png', 'video', 'is not a video that browsers show'],
    ['/words.vtt', 'captions', null],
    ['/page.png', 'captions', 'is no WebVTT file'],
    ['/plan.pdf', 'file', 'is a page, not a .pdf file'],
    ['/guide', 'file', null],
  ] as const)('%s as a %s: %s', async (path, expected, why) => {
    expect(await checkLink(`http://files.test:${port}${path}`, network, expected)).toEqual(
      why === null ? { kind: 'fine' } : { kind: 'broken', why },
    );
  });

  it('is never asked for in a private network', async () => {
    expect(await checkLink('https://169.254.169.254/cat.png', undefined, 'picture')).toMatchObject({
      kind: 'broken',
      why: /private network/,
    });
  });

  it('is resolved as the page of its lesson does it, and must be of the course (fault C1)', async () => {
    const course = await hidden();
    const other = await makeCourse();
    const picture = async (courseId: number) => {
      const path = `/pictures/${randomBytes(12).toString('base64url')}/cat-40x40.png`;
      const bytes = Buffer.from(path);
      await storeFile(db(), fileStore(), {
        area: 'pictures',
        path,
        originalName: 'cat.png',
        mimeType: 'image/png',
        bytes,
      });
      await db().insert(pictures).values({ courseId, path, name: 'cat.png', sourceSha256: path });
      return path;
    };
    const [own, foreign] = [await picture(course.id), await picture(other.id)];
    const notes = await saveFile({
      area: 'files',
      originalName: 'notes.txt',
      bytes: Buffer.from('Notes of one'),
    });
    const loose = await saveFile({
      area: 'files',
      originalName: 'loose.txt',
      bytes: Buffer.from('Of no lesson'),
    });
    await makeLesson(course.id, { type: 'document', title: 'Sheet', content: '', fileUrl: notes.path });
    const lesson = await makeLesson(course.id, {
      content: [
        `![own](${own})`,
        `![own](${env().siteUrl}${own})`,
        `![foreign](${foreign})`,
        '![relative](../pictures/cat.png)',
        `![no picture](${notes.path})`,
        `[sheet](${notes.path})`,
        `[loose](${loose.path})`,
        '![plain](http://example.com/cat.png)',
        '![script](javascript:alert)',
        '[mail](mailto:a@example.com) [part](#below)',
      ].join('\n\n'),
      hints: [`![gone](/pictures/none/cat-1x1.png)`],
    });
    const film = await makeLesson(course.id, { type: 'video', content: '', fileUrl: notes.path });
    const of = async (row: typeof lesson) =>
      (await proveLesson({ lesson: row, questions: [], bank: [], scenario: null }, { network })).findings.map(
        ({ severity, field, message }) => `${severity} ${field} ${message}`,
      );
    expect(await of(lesson)).toEqual([
      `error content Line 5: ${foreign} belongs to another course, whose learners alone may load it: add it to this one.`,
      'error content Line 7: ../pictures/cat.png is no file of this site.',
      `error content Line 9: ${notes.path} is text/plain, not a picture.`,
      `error content Line 13: ${loose.path} is the file of no lesson of this course, so that its learners may not load it.`,
      'error content Line 15: http://example.com/cat.png must begin with https://: browsers load nothing else on this page.',
      'error hints Line 1: /pictures/none/cat-1x1.png is no file of this site.',
    ]);
    expect(await of(film)).toEqual([`error fileUrl The file: ${notes.path} is text/plain, not a video.`]);
  });
});

describe('an override', () => {
  const give = (courseId: number, body: unknown) => call(override, 'PUT', courseId, body);
  const REASON = 'The tests of the next lesson look at this.';

  async function failing() {
    const course = await hidden();
    const lesson = await makeLesson(course.id, { ...CODING, starterCode: CODING.solution });
    const found = await check(course.id);
    const [error] = found.lessons[0]!.findings.filter(({ severity }) => severity === 'error');
    return { course, lesson, error: error! };
  }

  it('lets one finding pass with a reason, which is kept, shown and audited; and can be taken back', async () => {
    const { course, lesson, error } = await failing();
    const body = { lessonId: lesson.id, finding: error.key, reason: REASON };
    const answer = await give(course.id, body);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body.ready).toBe(true);
    expect(answer.body.lessons[0]).toMatchObject({ state: 'proven' });
    expect(
      answer.body.lessons[0].findings.find(({ key }: { key: string }) => key === error.key).override,
    ).toEqual({
      message: error.message,
      reason: REASON,
      by: 'Grace Hopper',
      at: expect.any(String),
    });
    const [entry] = await db()
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.subjectType, 'lesson'), eq(auditLog.subjectId, String(lesson.id))))
      .orderBy(desc(auditLog.id));
    expect(entry).toMatchObject({
      action: 'lesson.finding_overridden',
      reason: REASON,
      details: { finding: error.message },
    });
    expect((await check(course.id)).ready).toBe(true);
    expect((await show(course.id)).status).toBe(200);
    await show(course.id);
    const back = await give(course.id, { ...body, reason: null });
    expect([back.body.ready, back.body.lessons[0].state]).toEqual([false, 'failed']);
    expect((await unprovenReasons([course.id])).has(course.id)).toBe(true);
    expect(await db().$count(findingOverrides, eq(findingOverrides.lessonId, lesson.id))).toBe(1);
  });

  it('lapses when the lesson changes, and is still told about', async () => {
    const { course, lesson, error } = await failing();
    await give(course.id, { lessonId: lesson.id, finding: error.key, reason: REASON });
    await db().update(lessons).set({ instructions: 'Now something else.' }).where(eq(lessons.id, lesson.id));
    expect((await unprovenReasons([course.id])).has(course.id)).toBe(true);
    // Not even before the next run.
    expect((await give(course.id, { lessonId: lesson.id, finding: error.key, reason: REASON })).status).toBe(
      409,
    );
    const again = await check(course.id);
    expect(again.lessons[0]).toMatchObject({
      state: 'failed',
      lapsed: [{ reason: REASON, by: 'Grace Hopper' }],
    });
    expect(again.lessons[0]!.findings.find(({ key }) => key === error.key)!.override).toBeNull();
  });

  it('of a dead link stays through changes of its lesson, until it is taken back or has another address', async () => {
    as = await signIn(await makeAdmin());
    const course = await hidden();
    const content = (id: number, more = '') => `Read [this](/files/none/${id}.pdf). ${more}`;
    const lesson = await makeLesson(course.id, { type: 'text', content: content(1) });
    const change = async (text: string) => {
      await db().update(lessons).set({ content: text }).where(eq(lessons.id, lesson.id));
      return (await check(course.id)).lessons[0]!;
    };
    const { key } = (await check(course.id)).lessons[0]!.findings[0]!;
    const body = { lessonId: lesson.id, finding: key, reason: REASON };
    expect((await give(course.id, body)).status).toBe(200);
    expect(await change(content(1, 'More words.'))).toMatchObject({
      ...{ state: 'proven', lapsed: [], findings: [{ key, override: { reason: REASON } }] },
    });
    expect(await change(content(2))).toMatchObject({ state: 'failed', lapsed: [{ reason: REASON }] });
    expect((await change(content(1))).state).toBe('proven');
    await give(course.id, { ...body, reason: null });
    expect(await change(content(1, 'Again.'))).toMatchObject({ state: 'failed', lapsed: [] });
  });

  it('needs a reason, a finding and a lesson of this course', async () => {
    const { course, lesson, error } = await failing();
    const body = { lessonId: lesson.id, finding: error.key, reason: REASON };
    for (const reason of ['', 'ok', 'x'.repeat(501), undefined, 5]) {
      const answer = await give(course.id, { ...body, reason });
      expect([reason, answer.status, Object.keys(answer.body.fields ?? {})]).toEqual([
        reason,
        400,
        ['reason'],
      ]);
    }
    expect((await give(course.id, { ...body, finding: 'another' })).status).toBe(409);
    expect((await give((await makeCourse()).id, body)).status).toBe(404);
    expect((await report(course.id)).ready).toBe(false);
  });
});

describe('a run', () => {
  it('is joined by who asks for another at the same time', async () => {
    const course = await hidden();
    await makeLesson(course.id);
    await makeLesson(course.id);
    const answers = await Promise.all(Array.from({ length: 6 }, () => start(course.id)));
    expect(new Set(answers.map(({ body }) => body.run.id)).size).toBe(1);
    expect(await db().$count(publishRuns, eq(publishRuns.courseId, course.id))).toBe(1);
    expect(sendJob).toHaveBeenCalledTimes(2);
    // Two workers with the same lesson, as after a lease that ran out, keep one result.
    const { id: runId } = answers[0]!.body.run;
    const [first] = await db().select().from(publishChecks).where(eq(publishChecks.runId, runId));
    await Promise.all(
      [1, 2, 3].map(() => lessonJob.run({ runId, lessonId: first!.lessonId }, { isLast: false })),
    );
    await work(runId);
    expect(await report(course.id)).toMatchObject({ ready: true, run: { status: 'finished', done: 2 } });
  });

  it('whose process was killed goes on in the next one, with what was done kept', async () => {
    const course = await hidden();
    await makeLesson(course.id);
    const second = await makeLesson(course.id);
    const { body } = await start(course.id);
    const [one, two] = await db()
      .select()
      .from(publishChecks)
      .where(eq(publishChecks.runId, body.run.id))
      .orderBy(publishChecks.lessonId);
    await lessonJob.run({ runId: body.run.id, lessonId: one!.lessonId }, { isLast: false });
    // The kill comes between the claim and the result.
    await db()
      .update(publishChecks)
      .set({ status: 'running', startedAt: new Date() })
      .where(eq(publishChecks.lessonId, two!.lessonId));
    expect(await report(course.id)).toMatchObject({ run: { status: 'running', done: 1, total: 2 } });
    sendJob.mockClear();
    await resumePublishChecks();
    expect(sendJob.mock.calls.map(([, , data]) => data)).toContainEqual({
      runId: body.run.id,
      lessonId: second.id,
    });
    await work(body.run.id);
    expect(await report(course.id)).toMatchObject({ ready: true, run: { status: 'finished', done: 2 } });
  });

  it('does not vouch for what was saved while it ran', async () => {
    const course = await hidden();
    const lesson = await makeLesson(course.id, CODING);
    const { body } = await start(course.id);
    const real = judge.getMockImplementation();
    let saved = false;
    judge.mockImplementation(async (...parts) => {
      if (!saved) {
        saved = true;
        await db()
          .update(lessons)
          .set({ solution: 'const isAdult = () => true;' })
          .where(eq(lessons.id, lesson.id));
      }
      judge.mockReset();
      return judgeClient.judge(...parts);
    });
    expect(real).toBeUndefined();
    await work(body.run.id);
    expect(await report(course.id)).toMatchObject({
      ready: false,
      run: { status: 'finished' },
      lessons: [{ state: 'changed' }],
    });
    expect((await unprovenReasons([course.id])).has(course.id)).toBe(true);
  });

  it('ends although a lesson was deleted, and is replaced when it stands still', async () => {
    const course = await hidden();
    await makeLesson(course.id);
    const gone = await makeLesson(course.id);
    const { body } = await start(course.id);
    await work(body.run.id);
    expect((await report(course.id)).run!.status).toBe('finished');

    const next = await start(course.id);
    const runId = next.body.run.id;
    const [kept] = next.body.lessons;
    await lessonJob.run({ runId, lessonId: kept.id }, { isLast: false });
    await db().delete(lessons).where(eq(lessons.id, gone.id));
    await lessonJob.run({ runId, lessonId: gone.id }, { isLast: false });
    expect((await report(course.id)).run).toMatchObject({ status: 'finished', done: 1, total: 1 });

    const lost = (await start(course.id)).body.run.id;
    await moveBack(publishRuns, eq(publishRuns.id, lost), { movedAt: { minutes: 10 } });
    const fresh = (await start(course.id)).body.run.id;
    expect(fresh).not.toBe(lost);
    await lessonJob.run({ runId: lost, lessonId: kept.id }, { isLast: false });
    expect((await report(course.id)).run).toMatchObject({ id: fresh, done: 0 });
    for (let more = 0; more < 6; more += 1) await check(course.id);
    expect(await db().$count(publishRuns, eq(publishRuns.courseId, course.id))).toBeLessThanOrEqual(6);
  });
});
