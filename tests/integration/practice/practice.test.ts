import { and, asc, eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourse, makeEnrollment, makeLesson, makeUser } from '../../support/factories.ts';
import { courses, lessons as lessonsTable } from '#db/schema/catalogue.ts';
import { certificates, enrollments, lessonProgress, pointsLedger, studyClocks } from '#db/schema/learn.ts';
import { codeSubmissions } from '#db/schema/practice.ts';
import { findWorkbench } from '#src/features/practice/practice.server.ts';
import { SUBMISSIONS_KEPT } from '#src/features/practice/practice.ts';
import * as judgeClient from '#src/judge/client.ts';
import * as courseRoute from '#src/pages/api/courses/[id].ts';
import * as executeRoute from '#src/pages/api/execute-code.ts';
import * as hintsRoute from '#src/pages/api/lessons/[id]/hints.ts';
import * as submissionsRoute from '#src/pages/api/lessons/[id]/submissions.ts';
import * as lessonRoute from '#src/pages/api/lessons/[id].ts';
import * as progressRoute from '#src/pages/api/progress.ts';
import * as submissionRoute from '#src/pages/api/submissions/[id].ts';
import { type CallOptions, callRoute, signIn } from '../../support/api.ts';

// The judge is the real one; single tests replace it once, to provoke what it would hardly do.
vi.mock('#src/judge/client.ts', { spy: true });
const judge = vi.mocked(judgeClient.judge);
afterEach(() => void judge.mockReset());
afterAll(() => judgeClient.stopJudge());

const NOT_FOUND = "Lesson not found or you don't have access to it.";
const RIGHT = 'const double = (n) => n * 2;';
const WRONG = 'const double = (n) => n + 2;';

const TESTS = [
  { input: 'double(4)', expectedOutput: '8', description: 'Doubles' },
  { input: 'double(0)', expectedOutput: '0' },
  { input: 'double(-21)', expectedOutput: '-42', description: 'Below zero', hidden: true },
];

async function codingLesson(courseId: number, values: Parameters<typeof makeLesson>[1] = {}) {
  return makeLesson(courseId, {
    type: 'interactive_coding',
    codingLanguage: 'javascript',
    instructions: 'Double the number.',
    starterCode: 'const double = (n) => n;',
    solution: `${RIGHT} // the reference`,
    expectedOutput: '8',
    hints: ['First', 'Second', 'Third'],
    testCases: TESTS,
    points: 10,
    content: '',
    ...values,
  });
}

/** A learner in a course of one coding lesson and one text lesson. */
async function workshop(values: Parameters<typeof makeLesson>[1] = {}) {
  const [course, user] = [await makeCourse(), await makeUser()];
  const lesson = await codingLesson(course.id, values);
  const text = await makeLesson(course.id, { points: 10 });
  await makeEnrollment(user.id, course.id);
  return { course, user, lesson, text, as: await signIn(user) };
}

function getLesson(id: number | string, options: CallOptions = {}) {
  return callRoute(lessonRoute.GET, { ...options, params: { id: String(id) } });
}

function run(
  lessonId: unknown,
  code: unknown,
  options: CallOptions = {},
  more: Record<string, unknown> = {},
) {
  return callRoute(executeRoute.POST, {
    ...options,
    body: { lessonId, code, language: 'javascript', timeSpent: 0, hintsUsed: 0, ...more },
  });
}

function hint(id: number, shown: unknown, options: CallOptions = {}) {
  return callRoute(hintsRoute.POST, { ...options, params: { id: String(id) }, body: { shown } });
}

async function submissionsOf(userId: number) {
  return db()
    .select()
    .from(codeSubmissions)
    .where(eq(codeSubmissions.userId, userId))
    .orderBy(asc(codeSubmissions.attempts));
}

async function progressOf(userId: number, lessonId: number) {
  const [row] = await db()
    .select()
    .from(lessonProgress)
    .where(and(eq(lessonProgress.userId, userId), eq(lessonProgress.lessonId, lessonId)));
  return row;
}

async function enrollmentOf(userId: number) {
  const [row] = await db().select().from(enrollments).where(eq(enrollments.userId, userId));
  return row!;
}

/** Lets the server’s clock say that the lesson was opened so long ago, and nothing counted since. */
async function openedSecondsAgo(userId: number, seconds: number) {
  const ago = sql`now() - make_interval(secs => ${seconds})`;
  await db().update(lessonProgress).set({ startedAt: ago }).where(eq(lessonProgress.userId, userId));
  await db().update(studyClocks).set({ countedUntil: ago }).where(eq(studyClocks.userId, userId));
}

describe('GET /api/lessons/{id}', () => {
  it('gives an enrolled learner the fields of spec 7', async () => {
    const { lesson, course, as } = await workshop();
    const { status, body, headers } = await getLesson(lesson.id, { as });
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({
      id: lesson.id,
      courseId: course.id,
      title: lesson.title,
      type: 'interactive_coding',
      difficulty: 'beginner',
      points: 10,
      instructions: 'Double the number.',
      content: '',
      expectedOutput: '8',
      hints: ['First', 'Second', 'Third'],
      testCases: [
        { input: 'double(4)', expectedOutput: '8', description: 'Doubles', hidden: false, mode: 'call' },
        { input: 'double(0)', expectedOutput: '0', description: '', hidden: false, mode: 'call' },
        { description: 'Below zero', hidden: true, mode: 'call' },
      ],
      codingLanguage: 'javascript',
      starterCode: 'const double = (n) => n;',
      isPreview: false,
      attempts: 0,
      hintsUsed: 0,
      completed: false,
    });
  });

  it('never holds the solution, nor input or expected value of a hidden test (I2)', async () => {
    const { lesson, as } = await workshop();
    expect((await getLesson(lesson.id, { as })).text).not.toMatch(/reference|-21|-42/);
  });

  it('looks the same out of reach as missing (I1, decision 32)', async () => {
    const { lesson, course, user, as } = await workshop();
    const hidden = await codingLesson((await makeCourse({ isActive: false })).id, { isPreview: true });
    const stranger = await signIn(await makeUser());
    const refused = [
      await getLesson(lesson.id),
      await getLesson(lesson.id, { as: stranger }),
      await getLesson(hidden.id),
      await getLesson(hidden.id, { as }),
      await getLesson(2_000_000_000, { as }),
    ];
    for (const { status, body } of refused) {
      expect([status, body.code, body.message]).toEqual([404, 'not_found', NOT_FOUND]);
    }
    await db().update(enrollments).set({ status: 'revoked' }).where(eq(enrollments.userId, user.id));
    // Whose access has ended knows the lesson, and is told why it does not open.
    const { status, body } = await getLesson(lesson.id, { as });
    expect([status, body.code]).toEqual([404, 'not_found']);
    expect(body.message).toContain(`You do not have “${course.title}” any more`);
    expect(course.isActive).toBe(true);
  });

  it('opens a preview lesson to visitors, and everything to administrators', async () => {
    const { course, lesson } = await workshop();
    const preview = await codingLesson(course.id, { isPreview: true });
    const visitor = await getLesson(preview.id);
    expect(visitor.status).toBe(200);
    expect(visitor.text).not.toMatch(/reference|-21|-42/);
    const admin = await makeAdmin();
    expect((await getLesson(lesson.id, { as: await signIn(admin) })).status).toBe(200);
    expect(await progressOf(admin.id, lesson.id)).toBeUndefined();
  });

  it('keeps a bought lesson of a course that was hidden afterwards', async () => {
    const { course, lesson, as } = await workshop();
    await db().update(courses).set({ isActive: false }).where(eq(courses.id, course.id));
    expect((await getLesson(lesson.id, { as })).status).toBe(200);
  });

  it('starts the learner’s clock once', async () => {
    const { user, lesson, as } = await workshop();
    await Promise.all([getLesson(lesson.id, { as }), getLesson(lesson.id, { as })]);
    const first = await progressOf(user.id, lesson.id);
    await getLesson(lesson.id, { as });
    expect((await progressOf(user.id, lesson.id))?.startedAt).toEqual(first?.startedAt);
  });

  it('answers 404 for ids that name nothing (N3)', async () => {
    for (const id of ['2147483648', '-1', '0', '1.5', '1e3', 'NaN', 'abc', '9'.repeat(10_240), '%00']) {
      expect((await getLesson(id)).status).toBe(404);
    }
  });
});

describe('POST /api/execute-code', () => {
  it('says of a wrong program what each test gave, and counts the attempt', async () => {
    const { user, lesson, as } = await workshop();
    const { status, body } = await run(lesson.id, `${WRONG}\nconsole.log('hi');`, { as });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      isCorrect: false,
      verdict: 'wrong_answer',
      error: null,
      attempts: 1,
      pointsAwarded: 0,
      completed: false,
      progress: 0,
      totalPoints: 0,
    });
    expect(body.output).toContain('hi');
    expect(body.tests).toEqual([
      {
        input: 'double(4)',
        expectedOutput: '8',
        description: 'Doubles',
        hidden: false,
        mode: 'call',
        passed: false,
        verdict: 'wrong_answer',
        got: '6',
        error: null,
      },
      expect.objectContaining({ input: 'double(0)', passed: false, got: '2' }),
      {
        description: 'Below zero',
        hidden: true,
        mode: 'call',
        passed: false,
        verdict: 'wrong_answer',
        gave: 'a number',
      },
    ]);
    const [kept] = await submissionsOf(user.id);
    expect(kept).toMatchObject({ isCorrect: false, verdict: 'wrong_answer', attempts: 1, completedAt: null });
    expect(kept!.results).toEqual(body.tests);
    expect(await progressOf(user.id, lesson.id)).toMatchObject({ attempts: 1, completed: false });
  });

  it('says what the author says of just this mistake, the first that fits, and gives nobody the list', async () => {
    const expectedMistakes = [
      { say: 'Hidden', result: '-19', program: 'never sent' },
      { say: 'Neither', code: 'n + 2', result: '7', program: 'never sent' },
      { say: 'Twice, not plus two.', code: 'n\t+2', result: ' 6', program: 'never sent' },
      { say: 'Too late', code: 'n + 2', program: 'never sent' },
      { say: 'Not there', result: 'ReferenceError', program: 'never sent' },
      { say: 'No end', result: 'time_limit', program: 'never sent' },
    ];
    const { lesson, as, course, user } = await workshop({ expectedMistakes, isPreview: true });
    const said = async (code: string) => (await run(lesson.id, code, { as })).body.said;
    expect(await said(WRONG)).toBe('Twice, not plus two.');
    expect(await said('const double = (n) => n+2 + 0;')).toBe('Twice, not plus two.');
    expect(await said('const doubel = (n) => n * 2;')).toBe('Not there');
    expect(await said('const double = (n) => { for (;;); };')).toBe('No end');
    expect(await said('const double = (n) => n;')).toBeNull();
    expect(await said(`${RIGHT} // not n + 2`)).toBeNull();
    const answers = [
      await getLesson(lesson.id, { as }),
      await getLesson(lesson.id),
      await run(lesson.id, WRONG, { as }),
      await callRoute(courseRoute.GET, { params: { id: String(course.id) }, as }),
    ];
    for (const { status, text } of answers) {
      expect(status).toBe(200);
      expect(text).not.toMatch(/expectedMistakes|never sent|Not there/);
    }
    const bench = await findWorkbench({ id: user.id, role: 'student' }, lesson.id);
    expect(JSON.stringify(bench)).not.toMatch(/expectedMistakes|never sent|Not there/);
  });

  it('completes the lesson with the first pass: points, progress and /api/progress at once', async () => {
    const { user, lesson, course, as } = await workshop();
    await run(lesson.id, WRONG, { as });
    const passed = await run(lesson.id, RIGHT, { as });
    expect(passed.body).toMatchObject({
      isCorrect: true,
      verdict: 'pass',
      attempts: 2,
      pointsAwarded: 10,
      completed: true,
      progress: 50,
      totalPoints: 10,
    });
    const progress = await callRoute(progressRoute.GET, { as });
    expect(progress.body).toMatchObject([
      {
        courseId: course.id,
        progress: 50,
        totalPoints: 10,
        lessons: [{ lessonId: lesson.id, completed: true, attempts: 2, points: 10 }],
      },
    ]);
    expect((await enrollmentOf(user.id)).currentLessonId).toBe(lesson.id);
    expect((await submissionsOf(user.id))[1]?.completedAt).not.toBeNull();
  });

  it('gives points once, and a later wrong run takes nothing back', async () => {
    const { user, lesson, as } = await workshop();
    await run(lesson.id, RIGHT, { as });
    const completedAt = (await progressOf(user.id, lesson.id))?.completedAt;
    expect((await run(lesson.id, RIGHT, { as })).body).toMatchObject({
      pointsAwarded: 0,
      attempts: 2,
      completed: true,
      progress: 50,
      totalPoints: 10,
    });
    expect(await progressOf(user.id, lesson.id)).toMatchObject({ completed: true, completedAt });
    expect(completedAt).toBeInstanceOf(Date);
    expect((await run(lesson.id, WRONG, { as })).body).toMatchObject({
      completed: true,
      progress: 50,
      totalPoints: 10,
    });
    expect(await progressOf(user.id, lesson.id)).toMatchObject({ completed: true, attempts: 3 });
  });

  it('issues a certificate that the course still owes with the next pass of a lesson long done', async () => {
    const { user, course, lesson, text, as } = await workshop();
    await db().delete(lessonsTable).where(eq(lessonsTable.id, text.id));
    expect((await run(lesson.id, RIGHT, { as })).body).toMatchObject({ progress: 100 });
    const [issued] = await db().delete(certificates).where(eq(certificates.userId, user.id)).returning();
    expect(issued?.courseId).toBe(course.id);
    await db().update(enrollments).set({ certificateIssued: false }).where(eq(enrollments.userId, user.id));
    expect((await run(lesson.id, RIGHT, { as })).body).toMatchObject({ pointsAwarded: 0, progress: 100 });
    expect(await db().select().from(certificates).where(eq(certificates.userId, user.id))).toHaveLength(1);
    expect(await enrollmentOf(user.id)).toMatchObject({ certificateIssued: true });
  });

  it('numbers runs at the same moment one after the other and gives the points to one of them', async () => {
    const { user, lesson, as } = await workshop();
    judge.mockResolvedValue(passOf(TESTS.length));
    const answers = await Promise.all(Array.from({ length: 12 }, () => run(lesson.id, RIGHT, { as })));
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
    expect(answers.map(({ body }) => body.attempts).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 12 }, (_, index) => index + 1),
    );
    expect(answers.reduce((sum, { body }) => sum + body.pointsAwarded, 0)).toBe(10);
    expect(await progressOf(user.id, lesson.id)).toMatchObject({ attempts: 12 });
    expect(await db().select().from(pointsLedger).where(eq(pointsLedger.userId, user.id))).toHaveLength(1);
  });

  it('believes nothing the browser claims about its result (J10, A17)', async () => {
    const { user, lesson, as } = await workshop();
    const { body } = await run(
      lesson.id,
      WRONG,
      { as },
      {
        isCorrect: true,
        verdict: 'pass',
        attempts: 0,
        points: 9999,
        progress: 100,
        completed: true,
        userId: 1,
        expectedOutput: '6',
        testCases: [],
        solution: WRONG,
      },
    );
    expect(body).toMatchObject({ isCorrect: false, attempts: 1, progress: 0, totalPoints: 0 });
    expect(await db().select().from(pointsLedger).where(eq(pointsLedger.userId, user.id))).toEqual([]);
  });

  it('keeps time by its own clock, whatever is claimed (J10, decision 34)', async () => {
    const { user, lesson, as } = await workshop();
    await getLesson(lesson.id, { as });
    await openedSecondsAgo(user.id, 100);
    expect((await run(lesson.id, WRONG, { as }, { timeSpent: 1e12 })).body.timeSpent).toBe(100);
    expect((await run(lesson.id, WRONG, { as }, { timeSpent: -1 })).body.timeSpent).toBe(0);
    expect((await run(lesson.id, WRONG, { as }, { timeSpent: 2.9 })).body.timeSpent).toBe(2);
    expect((await run(lesson.id, WRONG, { as }, { timeSpent: null })).body.timeSpent).toBe(0);
    const spent = (await progressOf(user.id, lesson.id))!.timeSpent;
    expect(spent).toBeGreaterThan(0);
    expect(spent).toBeLessThanOrEqual(100);
    expect((await enrollmentOf(user.id)).totalTimeSpent).toBe(spent);
  });

  it('counts no time for a lesson that was never opened', async () => {
    const { user, lesson, as } = await workshop();
    expect((await run(lesson.id, WRONG, { as }, { timeSpent: 500 })).body.timeSpent).toBe(0);
    expect((await progressOf(user.id, lesson.id))?.timeSpent).toBe(0);
    expect((await enrollmentOf(user.id)).totalTimeSpent).toBe(0);
  });

  it('counts hints as it knows them, never less and never more than there are (J10)', async () => {
    const { user, lesson, as } = await workshop();
    expect((await run(lesson.id, WRONG, { as }, { hintsUsed: -5 })).body.hintsUsed).toBe(0);
    expect((await hint(lesson.id, 2, { as })).body).toEqual({ hintsUsed: 2 });
    expect((await run(lesson.id, WRONG, { as }, { hintsUsed: 0 })).body.hintsUsed).toBe(2);
    expect((await hint(lesson.id, 1, { as })).body).toEqual({ hintsUsed: 2 });
    expect((await run(lesson.id, WRONG, { as }, { hintsUsed: 1e9 })).body.hintsUsed).toBe(3);
    expect(await progressOf(user.id, lesson.id)).toMatchObject({ hintsUsed: 3, attempts: 3 });
  });

  it.each([
    ['blank code', { code: ' \n\t ' }, 'code', 'Empty Code'],
    ['no code', { code: undefined }, 'code', 'Code must be text'],
    ['code that is a list', { code: ['x'] }, 'code', 'Code must be text'],
    ['code with NUL', { code: 'let a = "\0";' }, 'code', /cannot be stored/],
    ['code with half a character', { code: 'let a = "\ud800";' }, 'code', /cannot be stored/],
    ['code over 64 KB', { code: 'a'.repeat(65_537) }, 'code', /at most/],
    [
      'code over 64 KB in bytes',
      { code: 'é'.repeat(32_769) },
      'code',
      'Code must be at most 64 KB. Please shorten it.',
    ],
    ['another language', { language: 'python' }, 'language', 'This lesson is written in JavaScript.'],
    ['an unknown language', { language: 'bash -c id' }, 'language', 'This lesson is written in JavaScript.'],
    ['no language', { language: undefined }, 'language', 'Language must be text'],
    ['a lesson id as text', { lessonId: '7' }, 'lessonId', 'Lesson id must be a whole number'],
    ['a lesson id out of range', { lessonId: 2_147_483_648 }, 'lessonId', 'Lesson id is out of range'],
    ['time as text', { timeSpent: 'long' }, 'timeSpent', 'Time spent must be a number'],
  ])('refuses %s by its field and counts nothing (J7, N2)', async (_, change, field, message) => {
    const { user, lesson, as } = await workshop();
    const { status, body } = await run(lesson.id, RIGHT, { as }, change);
    expect([status, body.code]).toEqual([400, 'invalid_input']);
    expect(body.fields[field]).toEqual(
      typeof message === 'string' ? message : expect.stringMatching(message),
    );
    expect(judge).not.toHaveBeenCalled();
    expect(await submissionsOf(user.id)).toEqual([]);
    expect((await progressOf(user.id, lesson.id))?.attempts ?? 0).toBe(0);
  });

  it('takes a program of exactly 64 KB, and the language in any case', async () => {
    const { lesson, as } = await workshop();
    const code = `${RIGHT}//`.padEnd(65_536, 'x');
    expect((await run(lesson.id, code, { as }, { language: ' JavaScript ' })).body.isCorrect).toBe(true);
  });

  it('refuses a body over the limit of all calls', async () => {
    const { lesson, as } = await workshop();
    expect((await run(lesson.id, 'a'.repeat(1_100_000), { as })).status).toBe(413);
  });

  it('runs nothing for visitors, strangers, and lessons that are no coding lessons', async () => {
    const { lesson, text, as } = await workshop();
    expect((await run(lesson.id, RIGHT)).status).toBe(401);
    const stranger = await run(lesson.id, RIGHT, { as: await signIn(await makeUser()) });
    expect([stranger.status, stranger.body.message]).toEqual([404, NOT_FOUND]);
    expect((await run(2_000_000_000, RIGHT, { as })).status).toBe(404);
    const notCoding = await run(text.id, RIGHT, { as });
    expect([notCoding.status, notCoding.body.message]).toEqual([400, 'This lesson is not a coding lesson.']);
    expect(judge).not.toHaveBeenCalled();
  });

  it('refuses a cookie from another site (A10)', async () => {
    const { lesson, as } = await workshop();
    const foreign = await run(lesson.id, RIGHT, {
      withCookie: as,
      headers: { origin: 'https://evil.example' },
    });
    expect(foreign.status).toBe(403);
    expect((await run(lesson.id, RIGHT, { withCookie: as })).status).toBe(200);
  });

  it('lets a signed-in user try a preview lesson, and keeps no progress of it', async () => {
    const { lesson, course } = await workshop({ isPreview: true });
    const user = await makeUser();
    const as = await signIn(user);
    expect((await run(lesson.id, RIGHT)).status).toBe(401);
    expect((await run(lesson.id, WRONG, { as })).body.attempts).toBe(1);
    expect((await run(lesson.id, RIGHT, { as })).body).toMatchObject({
      isCorrect: true,
      attempts: 2,
      pointsAwarded: 0,
      progress: null,
      totalPoints: null,
    });
    expect(await progressOf(user.id, lesson.id)).toBeUndefined();
    expect((await hint(lesson.id, 2, { as })).body).toEqual({ hintsUsed: 0 });
    expect(await db().select().from(pointsLedger).where(eq(pointsLedger.userId, user.id))).toEqual([]);
    expect(await db().select().from(enrollments).where(eq(enrollments.userId, user.id))).toEqual([]);
    // What was tried before the purchase is not forgotten after it.
    await makeEnrollment(user.id, course.id);
    expect((await run(lesson.id, RIGHT, { as })).body).toMatchObject({
      attempts: 3,
      pointsAwarded: 10,
      progress: 50,
    });
  });

  it('numbers attempts at a preview without an enrollment one after the other too', async () => {
    const { lesson } = await workshop({ isPreview: true });
    const as = await signIn(await makeUser());
    judge.mockResolvedValue(passOf(TESTS.length));
    const answers = await Promise.all(Array.from({ length: 8 }, () => run(lesson.id, RIGHT, { as })));
    expect(answers.map(({ body }) => body.attempts).sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('lets an administrator try any lesson, without progress', async () => {
    const { lesson } = await workshop();
    const admin = await makeAdmin();
    expect((await run(lesson.id, RIGHT, { as: await signIn(admin) })).body).toMatchObject({
      isCorrect: true,
      progress: null,
    });
    expect(await progressOf(admin.id, lesson.id)).toBeUndefined();
  });

  it.each([
    ['busy', [503, 'unavailable'], 'Too many programs are waiting', 7],
    ['failed', [503, 'unavailable'], 'a fault on our side', 2],
    ['own_runs', [429, 'too_many_requests'], 'Your earlier runs are still under way', 2],
  ] as const)(
    'says so when the judge is %s, counts nothing and loses nothing (J6, J9, decision 50)',
    async (reason, refusal, text, seconds) => {
      const { user, lesson, as } = await workshop();
      const { JudgeUnavailable } = await import('../../../src/judge/protocol.ts');
      judge.mockRejectedValueOnce(new JudgeUnavailable(reason, 'internal words', seconds));
      const { status, body, headers } = await run(lesson.id, RIGHT, { as });
      expect([status, body.code, headers.get('retry-after')]).toEqual([...refusal, String(seconds)]);
      expect(body.message).toContain(text);
      expect(body.message).not.toContain('internal words');
      expect(await submissionsOf(user.id)).toEqual([]);
      expect((await progressOf(user.id, lesson.id))?.attempts ?? 0).toBe(0);
      expect((await run(lesson.id, RIGHT, { as })).body).toMatchObject({ attempts: 1, isCorrect: true });
    },
  );

  it('holds no connection while the judge works', async () => {
    const { lesson, as } = await workshop();
    let release = () => {};
    const held = new Promise<void>((done) => {
      release = done;
    });
    judge.mockImplementation(async () => {
      await held;
      return passOf(TESTS.length);
    });
    // More than the pool has connections: all wait for the judge, and the database answers others.
    const waiting = Array.from({ length: 30 }, () => run(lesson.id, RIGHT, { as }));
    await vi.waitFor(() => expect(judge).toHaveBeenCalledTimes(30), 20_000);
    expect((await getLesson(lesson.id, { as })).status).toBe(200);
    release();
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array(30).fill(200));
  });

  it('keeps nothing when the access, or the lesson, went away while the program ran', async () => {
    const { user, lesson, as } = await workshop();
    judge.mockImplementationOnce(async () => {
      await db().update(enrollments).set({ status: 'revoked' }).where(eq(enrollments.userId, user.id));
      return passOf(TESTS.length);
    });
    expect((await run(lesson.id, RIGHT, { as })).status).toBe(404);
    expect(await submissionsOf(user.id)).toEqual([]);
    const other = await workshop();
    judge.mockImplementationOnce(async () => {
      await db().delete(lessonsTable).where(eq(lessonsTable.id, other.lesson.id));
      return passOf(TESTS.length);
    });
    expect((await run(other.lesson.id, RIGHT, { as: other.as })).status).toBe(404);
  });

  it('counts by the access that there is when the program has run', async () => {
    const { user, lesson, as } = await workshop({ isPreview: true });
    await run(lesson.id, WRONG, { as });
    judge.mockImplementationOnce(async () => {
      await db().update(enrollments).set({ status: 'revoked' }).where(eq(enrollments.userId, user.id));
      return passOf(TESTS.length);
    });
    const ended = await run(lesson.id, RIGHT, { as });
    expect(ended.body).toMatchObject({ attempts: 2, pointsAwarded: 0, progress: null, totalPoints: null });
    expect(await progressOf(user.id, lesson.id)).toMatchObject({ attempts: 1, completed: false });
    judge.mockImplementationOnce(async () => {
      await db().update(enrollments).set({ status: 'active' }).where(eq(enrollments.userId, user.id));
      return passOf(TESTS.length);
    });
    const begun = await run(lesson.id, RIGHT, { as });
    expect(begun.body).toMatchObject({ attempts: 3, pointsAwarded: 10, progress: 50, totalPoints: 10 });
    expect(await progressOf(user.id, lesson.id)).toMatchObject({ attempts: 3, completed: true });
  });

  it('stores and answers what a program prints, whatever that is', async () => {
    const { user, lesson, as } = await workshop();
    const { status, body } = await run(lesson.id, `${WRONG}\nconsole.log('a\\0b' + '\\ud800');`, { as });
    expect(status).toBe(200);
    expect(body.output).toContain('a\u2400b\ufffd');
    expect((await submissionsOf(user.id))[0]?.output).toBe(body.output);
  });

  it('tells a hidden test’s input to no program that asks for it (J5)', async () => {
    const { lesson, as } = await workshop();
    const thrown = await run(
      lesson.id,
      'const double = (n) => { if (n < 0) throw new Error("saw " + n); return n * 2; };',
      { as },
    );
    expect(thrown.body).toMatchObject({ isCorrect: false, verdict: 'runtime_error' });
    expect(thrown.text).not.toContain('saw');
    expect(thrown.body.tests[2]).toEqual({
      description: 'Below zero',
      hidden: true,
      mode: 'call',
      passed: false,
      verdict: 'runtime_error',
    });
    const named = await run(
      lesson.id,
      'const double = (n) => { if (n < 0) throw Object.assign(new Error("saw " + n), { name: "Hint" }); return n * 2; };',
      { as },
    );
    expect(named.body).toMatchObject({ isCorrect: false, error: { name: 'HiddenTest' } });
    expect(named.text).not.toContain('saw');
    const printed = await run(lesson.id, 'const double = (n) => { console.log("saw", n); return n * 2; };', {
      as,
    });
    expect(printed.body.isCorrect).toBe(true);
    expect(printed.text).not.toContain('saw -21');
  });

  it('says where a program is wrong, by the learner’s own line', async () => {
    const { lesson, as } = await workshop();
    const syntax = await run(lesson.id, 'const a = 1;\nconst b = ;\n', { as });
    expect(syntax.body).toMatchObject({ verdict: 'syntax_error', isCorrect: false, error: { line: 2 } });
    const thrown = await run(lesson.id, '\n\nconst double = (n) => missing(n);', { as });
    expect(thrown.body).toMatchObject({
      verdict: 'runtime_error',
      error: { name: 'ReferenceError', line: 3 },
    });
    expect(thrown.body.attempts).toBe(2);
  });

  it('compares what is printed where a lesson has no tests (decision 44)', async () => {
    const { lesson, as } = await workshop({ testCases: [], expectedOutput: 'Hello, World!' });
    const wrong = await run(lesson.id, 'console.log("Hello World!")', { as });
    expect(wrong.body).toMatchObject({
      isCorrect: false,
      verdict: 'wrong_answer',
      tests: [
        { expectedOutput: 'Hello, World!', got: expect.stringContaining('Hello World!'), passed: false },
      ],
    });
    expect((await run(lesson.id, 'console.log("Hello, World!")', { as })).body.isCorrect).toBe(true);
  });

  it('refuses a lesson with nothing to compare', async () => {
    const { lesson, as } = await workshop({ testCases: [], expectedOutput: ' ' });
    expect((await run(lesson.id, RIGHT, { as })).status).toBe(409);
  });

  it('is limited for each user (J6)', async () => {
    const { lesson, as } = await workshop();
    judge.mockResolvedValue(passOf(TESTS.length));
    const answers = [];
    for (let index = 0; index < 65; index += 1) answers.push(await run(lesson.id, RIGHT, { as }));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);
    const refused = answers.at(-1)!;
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
    const other = await workshop();
    expect((await run(other.lesson.id, RIGHT, { as: other.as })).status).toBe(200);
    expect(await submissionsOf(other.user.id)).toHaveLength(1);
    const kept = await submissionsOf((await progressOwner(lesson.id))!);
    // The oldest are forgotten, save the first that passed.
    expect(kept).toHaveLength(SUBMISSIONS_KEPT + 1);
    expect([kept[0]?.attempts, kept.at(-1)?.attempts]).toEqual([1, 60]);
  });
});

async function progressOwner(lessonId: number): Promise<number | undefined> {
  const [row] = await db().select().from(lessonProgress).where(eq(lessonProgress.lessonId, lessonId));
  return row?.userId;
}

function passOf(tests: number): Awaited<ReturnType<typeof judgeClient.judge>> {
  return {
    kind: 'pass',
    output: '',
    outputTruncated: false,
    error: null,
    hint: null,
    durationMs: 1,
    tests: Array.from({ length: tests }, () => ({
      kind: 'pass',
      passed: true,
      got: '8',
      output: '',
      error: null,
    })),
  };
}

describe('the history of submissions', () => {
  it('lists the own runs of a lesson, the last first, and gives each back with its code', async () => {
    const { user, lesson, as } = await workshop();
    await run(lesson.id, WRONG, { as });
    await run(lesson.id, RIGHT, { as });
    const other = await codingLesson(lesson.courseId);
    await run(other.id, WRONG, { as });
    const list = await callRoute(submissionsRoute.GET, { as, params: { id: String(lesson.id) } });
    expect(list.body).toMatchObject([
      { attempts: 2, isCorrect: true, verdict: 'pass' },
      { attempts: 1, isCorrect: false, verdict: 'wrong_answer' },
    ]);
    expect(list.text).not.toContain('double');
    const one = await callRoute(submissionRoute.GET, { as, params: { id: String(list.body[1].id) } });
    expect(one.body).toMatchObject({
      lessonId: lesson.id,
      language: 'javascript',
      submittedCode: WRONG,
      attempts: 1,
      completedAt: null,
    });
    expect(one.body.tests).toHaveLength(3);
    // Without the dates, some of which hold these digits as well.
    expect(JSON.stringify(one.body.tests)).not.toMatch(/-21|-42/);
    expect(await submissionsOf(user.id)).toHaveLength(3);
  });

  it('is nobody else’s business (I5)', async () => {
    const { lesson, as, user } = await workshop();
    await run(lesson.id, WRONG, { as });
    const [kept] = await submissionsOf(user.id);
    const admin = await signIn(await makeAdmin());
    for (const stranger of [await signIn(await makeUser()), admin]) {
      const one = await callRoute(submissionRoute.GET, { as: stranger, params: { id: String(kept!.id) } });
      expect([one.status, one.body.code]).toEqual([404, 'not_found']);
      const list = await callRoute(submissionsRoute.GET, {
        as: stranger,
        params: { id: String(lesson.id) },
        path: `/api/lessons/${lesson.id}/submissions?userId=${user.id}`,
      });
      expect(list.body).toEqual([]);
    }
    expect((await callRoute(submissionRoute.GET, { params: { id: String(kept!.id) } })).status).toBe(401);
    expect((await callRoute(submissionsRoute.GET, { params: { id: String(lesson.id) } })).status).toBe(401);
    expect((await callRoute(submissionRoute.GET, { as, params: { id: '2147483648' } })).status).toBe(404);
  });
});

describe('POST /api/lessons/{id}/hints', () => {
  it('refuses visitors, strangers and nonsense', async () => {
    const { lesson, as } = await workshop();
    expect((await hint(lesson.id, 1)).status).toBe(401);
    expect((await hint(lesson.id, 1, { as: await signIn(await makeUser()) })).status).toBe(404);
    expect((await hint(lesson.id, 'two', { as })).status).toBe(400);
    expect((await hint(lesson.id, -3, { as })).body).toEqual({ hintsUsed: 0 });
    expect((await hint(lesson.id, 99, { as })).body).toEqual({ hintsUsed: 3 });
  });
});

describe('the page of a coding lesson', () => {
  it('knows its place in the course and where the learner left off', async () => {
    const { user, course, lesson, text, as } = await workshop();
    await makeLesson(course.id, { title: 'Before', order: 0 });
    const viewer = { id: user.id, role: 'student' } as const;
    const first = await findWorkbench(viewer, lesson.id);
    expect(first).toMatchObject({
      course: { id: course.id, title: course.title },
      position: 2,
      lessonCount: 3,
      previous: { title: 'Before', href: expect.stringMatching(`^/learn/${course.id}\\?lesson=\\d+$`) },
      next: { title: text.title, href: `/learn/${course.id}?lesson=${text.id}` },
      enrolled: true,
      lastCode: null,
    });
    await run(lesson.id, WRONG, { as });
    expect(await findWorkbench(viewer, lesson.id)).toMatchObject({ lastCode: WRONG });
    expect((await enrollmentOf(user.id)).currentLessonId).toBe(lesson.id);
  });

  it('leads from one coding lesson to the next, and from other lessons to the viewer', async () => {
    const { user, course, lesson, text } = await workshop();
    const next = await codingLesson(course.id);
    const viewer = { id: user.id, role: 'student' } as const;
    expect(await findWorkbench(viewer, text.id)).toEqual({
      elsewhere: `/learn/${course.id}?lesson=${text.id}`,
    });
    const last = await codingLesson(course.id);
    expect(await findWorkbench(viewer, next.id)).toMatchObject({ next: { href: `/lesson/${last.id}` } });
    // From the last one back to the first that is still to be done.
    const atTheEnd = await findWorkbench(viewer, last.id);
    expect(atTheEnd).toMatchObject({
      next: { href: `/lesson/${lesson.id}`, isBefore: true },
      previous: { href: `/lesson/${next.id}` },
    });
    for (const { id: lessonId } of [lesson, text, next]) {
      await db()
        .insert(lessonProgress)
        .values({ userId: user.id, courseId: course.id, lessonId, completed: true })
        .onConflictDoUpdate({
          target: [lessonProgress.userId, lessonProgress.lessonId],
          set: { completed: true },
        });
    }
    expect(await findWorkbench(viewer, last.id)).toMatchObject({ next: null });
  });

  it('shows strangers nothing, and visitors a preview without neighbors', async () => {
    const { course, lesson, text } = await workshop();
    const preview = await codingLesson(course.id, { isPreview: true });
    expect(await findWorkbench(null, lesson.id)).toBeNull();
    expect(await findWorkbench(null, text.id)).toBeNull();
    expect(await findWorkbench({ id: (await makeUser()).id, role: 'student' }, lesson.id)).toBeNull();
    expect(await findWorkbench(null, preview.id)).toMatchObject({
      enrolled: false,
      previous: null,
      next: null,
      lastCode: null,
    });
  });
});
