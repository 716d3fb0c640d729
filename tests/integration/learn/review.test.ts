import { and, eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { db, takeTime } from '#db/client.ts';
import { makeCourse, makeEnrollment, makeLesson, makeUser } from '../../support/factories.ts';
import { lessons } from '#db/schema/catalogue.ts';
import { enrollments, lessonProgress, pointsLedger, quizQuestions, studyDays } from '#db/schema/learn.ts';
import { reviewAnswers, reviewItems } from '#db/schema/review.ts';
import { codeSubmissions } from '#db/schema/practice.ts';
import { mailLayout } from '#src/server/mail/mail-layout.ts';
import { weeklyMail } from '#src/features/learn/dashboard/weekly-mail.server.ts';
import { recordCompletion } from '#src/features/learn/progress/completion.server.ts';
import { countedQueue, readDue } from '#src/features/review/due/due.server.ts';
import { reviewRecord } from '#src/features/review/review.server.ts';
import { QUEUE_SECONDS } from '#src/features/review/due/schedule.ts';
import * as judgeClient from '#src/judge/client.ts';
import * as reviewRoute from '#src/pages/api/recall/[id].ts';
import * as runRoute from '#src/pages/api/recall/[id]/run.ts';
import * as laterRoute from '#src/pages/api/recall/[id]/later.ts';
import * as reviewsRoute from '#src/pages/api/recall.ts';
import { type CallOptions, callRoute, signIn } from '../../support/api.ts';

// The judge is the real one; single tests replace it once.
vi.mock('#src/judge/client.ts', { spy: true });
const judge = vi.mocked(judgeClient.judge);
afterEach(() => void judge.mockReset());
afterAll(() => judgeClient.stopJudge());

const list = (options: CallOptions = {}) => callRoute(reviewsRoute.GET, { path: '/api/recall', ...options });
const answer = (id: number, body: unknown, options: CallOptions = {}) =>
  callRoute(reviewRoute.POST, { params: { id: String(id) }, body, ...options });
const run = (id: number, body: unknown, options: CallOptions = {}) =>
  callRoute(runRoute.POST, { params: { id: String(id) }, body, ...options });
const later = (id: number, body: unknown, options: CallOptions = {}) =>
  callRoute(laterRoute.POST, { params: { id: String(id) }, body, ...options });

/** A learner who has completed a quiz of one question, a coding lesson and a text. */
async function learner() {
  const user = await makeUser();
  const course = await makeCourse();
  const quiz = await makeLesson(course.id, { type: 'quiz', title: 'Knots quiz' });
  const [question] = await db()
    .insert(quizQuestions)
    .values({
      lessonId: quiz.id,
      question: 'Which knot?',
      options: ['Reef', 'Granny'],
      correctAnswer: 0,
      order: 1,
    })
    .returning();
  const coding = await makeLesson(course.id, {
    type: 'interactive_coding',
    codingLanguage: 'javascript',
    instructions: 'Write `add`.',
  });
  const text = await makeLesson(course.id);
  await makeEnrollment(user.id, course.id);
  for (const { id: lessonId } of [quiz, coding, text]) {
    await db().transaction((tx) => recordCompletion(tx, { userId: user.id, courseId: course.id, lessonId }));
  }
  return { user, course, quiz, coding, question: question!, as: await signIn(user) };
}
type Learner = Awaited<ReturnType<typeof learner>>;

const itemsOf = (userId: number) =>
  db().select().from(reviewItems).where(eq(reviewItems.userId, userId)).orderBy(reviewItems.lessonId);
const itemOf = async (userId: number, lessonId: number) =>
  (await itemsOf(userId)).find((item) => item.lessonId === lessonId)!;
/** As if so many days had passed. */
const passDays = (userId: number, days: number) =>
  db()
    .update(reviewItems)
    .set({
      due: sql`${reviewItems.due} - make_interval(days => ${days})`,
      lastReview: sql`${reviewItems.lastReview} - make_interval(days => ${days})`,
    })
    .where(eq(reviewItems.userId, userId));
const right = ({ question }: Learner) => ({ [question.id]: 'Reef' });
const wrong = ({ question }: Learner) => ({ [question.id]: 'Granny' });

describe('what comes back', () => {
  it('is quizzes and coding lessons, some days after they were completed', async () => {
    const made = await learner();
    expect((await itemsOf(made.user.id)).map(({ lessonId }) => lessonId)).toEqual([
      made.quiz.id,
      made.coding.id,
    ]);
    expect((await list({ as: made.as })).body).toMatchObject({ dueCount: 0, items: [] });
    await passDays(made.user.id, 4);
    const { body } = await list({ as: made.as });
    expect(body.dueCount).toBe(2);
    expect(body.items).toMatchObject([
      { lessonId: made.quiz.id, version: 0, question: { question: 'Which knot?' }, task: null },
      { lessonId: made.coding.id, question: null, task: { solution: null } },
    ]);
    // Nothing tells what is right before it is answered (fault I2).
    expect(JSON.stringify(body.items[0])).not.toMatch(/correct|solution":"/);
    expect(await readDue(made.user.id).then(countedQueue)).toEqual({
      dueCount: 2,
      queueCount: 2,
      minutes: 2,
    });
  });

  it('S8: is kept when access ends, and comes back with it', async () => {
    const made = await learner();
    await passDays(made.user.id, 4);
    const access = (status: 'active' | 'revoked' | 'suspended') =>
      db()
        .update(enrollments)
        .set({ status })
        .where(and(eq(enrollments.userId, made.user.id), eq(enrollments.courseId, made.course.id)));
    for (const status of ['revoked', 'suspended'] as const) {
      await access(status);
      expect((await list({ as: made.as })).body.dueCount).toBe(0);
      expect((await answer(made.quiz.id, { version: 0, answers: right(made) }, { as: made.as })).status).toBe(
        404,
      );
      expect((await later(made.quiz.id, { version: 0, until: 'tomorrow' }, { as: made.as })).status).toBe(
        404,
      );
      expect(await itemsOf(made.user.id)).toHaveLength(2);
    }
    await access('active');
    expect((await list({ as: made.as })).body.dueCount).toBe(2);
  });

  it('S8: holds five minutes a day of ten thousand', async () => {
    const { user, course, as } = await learner();
    // So many rows may take longer than a request may.
    await db().transaction(async (tx) => {
      await takeTime(tx);
      await tx.execute(sql`
      with made as (
        insert into ${lessons} (course_id, title, type, "order", content)
        select ${course.id}, 'Lesson ' || n, 'quiz', n + 10, '' from generate_series(1, 10000) n returning id
      ), asked as (
        insert into ${quizQuestions} (lesson_id, question, options, correct_answer, "order")
        select id, 'Which?', '["a", "b"]', 0, 1 from made
      )
      insert into ${reviewItems} (user_id, lesson_id, due, stability, difficulty, last_review)
      select ${user.id}, id, now() - interval '10 days', 2.3, 2.1, now() - interval '13 days' from made`);
    });
    const { body } = await list({ as });
    expect(body.dueCount).toBe(10_000);
    expect(body.items.length * 40).toBeLessThanOrEqual(QUEUE_SECONDS);
    expect(body.items.length).toBeGreaterThan(0);
    for (const { lessonId, version, question } of body.items) {
      expect((await answer(lessonId, { version, answers: { [question.id]: 'a' } }, { as })).status).toBe(200);
    }
    const after = (await list({ as })).body;
    expect([after.items, after.dueCount]).toEqual([[], 10_000 - body.items.length]);
  });
});

describe('an answer', () => {
  it('is refused from visitors and strangers, and where it is none', async () => {
    const made = await learner();
    const { quiz, coding, as } = made;
    await passDays(made.user.id, 4);
    const stranger = { as: await signIn(await makeUser()) };
    expect((await list()).status).toBe(401);
    expect((await answer(quiz.id, { version: 0, answers: right(made) })).status).toBe(401);
    expect((await answer(quiz.id, { version: 0, answers: right(made) }, stranger)).status).toBe(404);
    expect((await later(quiz.id, { version: 0, until: 'tomorrow' }, stranger)).status).toBe(404);
    const fields = async (id: number, body: unknown) =>
      Object.keys((await answer(id, body, { as })).body.fields);
    expect(await fields(quiz.id, { version: -1, answers: right(made) })).toEqual(['version']);
    expect(await fields(quiz.id, { version: 0 })).toEqual([`answers.${made.question.id}`]);
    expect(await fields(coding.id, { version: 0 })).toEqual(['rating']);
    expect(await fields(coding.id, { version: 0, rating: 'perfect' })).toEqual(['rating']);
    expect((await later(quiz.id, { version: 0, until: 'never' }, { as })).status).toBe(400);
    expect(await db().$count(reviewAnswers, eq(reviewAnswers.userId, made.user.id))).toBe(0);
  });

  it('S7: counts once, from two tabs and by two clicks', async () => {
    const made = await learner();
    await passDays(made.user.id, 4);
    const send = () => answer(made.quiz.id, { version: 0, answers: right(made) }, { as: made.as });
    const both = await Promise.all([send(), send(), send()]);
    expect(both.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(both.map(({ body }) => body.due)).size).toBe(1);
    expect(both[0]!.body).toMatchObject({ recalled: true, marked: { questionId: made.question.id } });
    expect(await db().$count(reviewAnswers, eq(reviewAnswers.userId, made.user.id))).toBe(1);
    expect(await itemOf(made.user.id, made.quiz.id)).toMatchObject({ version: 1, reps: 2, lapses: 0 });
    const [day] = await db().select().from(studyDays).where(eq(studyDays.userId, made.user.id));
    expect(day!.seconds).toBe(40);
  });

  it('S7: of a version that was put off meanwhile changes nothing', async () => {
    const made = await learner();
    await passDays(made.user.id, 4);
    const before = await itemOf(made.user.id, made.quiz.id);
    await later(made.quiz.id, { version: 0, until: 'next-week' }, { as: made.as });
    const moved = await itemOf(made.user.id, made.quiz.id);
    expect(moved).toMatchObject({ stability: before.stability, lastReview: before.lastReview, version: 1 });
    const refused = await answer(made.quiz.id, { version: 0, answers: right(made) }, { as: made.as });
    expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('put off')]);
    const again = await later(made.quiz.id, { version: 0, until: 'tomorrow' }, { as: made.as });
    expect(again.body.due).toBe(moved.due.toISOString());
    expect((await list({ as: made.as })).body.items).toMatchObject([{ lessonId: made.coding.id }]);
  });

  it('S7: is right with a clock that was set back', async () => {
    const made = await learner();
    // The last review is in the future of the clock as it is now.
    await db()
      .update(reviewItems)
      .set({ lastReview: sql`now() + interval '2 days'`, due: sql`now() - interval '1 second'` })
      .where(eq(reviewItems.userId, made.user.id));
    const { lastReview } = await itemOf(made.user.id, made.coding.id);
    expect((await answer(made.coding.id, { version: 0, rating: 'good' }, { as: made.as })).status).toBe(200);
    const item = await itemOf(made.user.id, made.coding.id);
    expect(item.lastReview).toEqual(lastReview);
    expect(item.due.getTime()).toBeGreaterThan(lastReview.getTime());
  });

  it('S7: is taken after a clock was set back by a little, and changes nothing before it is due', async () => {
    const made = await learner();
    const before = await itemOf(made.user.id, made.quiz.id);
    const send = () => answer(made.quiz.id, { version: 0, answers: right(made) }, { as: made.as });
    const early = await send();
    expect([early.status, early.body.message]).toEqual([409, expect.stringContaining('not due yet')]);
    expect(await itemOf(made.user.id, made.quiz.id)).toEqual(before);
    const ofUser = eq(studyDays.userId, made.user.id);
    expect(
      await db().select({ seconds: studyDays.seconds }).from(studyDays).where(ofUser),
    ).not.toContainEqual({
      seconds: 40,
    });
    await db()
      .update(reviewItems)
      .set({ due: sql`now() + interval '30 minutes'` })
      .where(eq(reviewItems.userId, made.user.id));
    const taken = await send();
    expect(taken.status).toBe(200);
    // It is not due for days now; a repeat still gets the same answer, the next one none.
    expect((await send()).body).toEqual(taken.body);
    const next = await answer(made.quiz.id, { version: 1, answers: right(made) }, { as: made.as });
    expect(next.status).toBe(409);
    expect(await db().$count(reviewAnswers, eq(reviewAnswers.userId, made.user.id))).toBe(1);
  });

  it('tells what was expected beside what was so', async () => {
    const made = await learner();
    expect(await reviewRecord(made.user.id)).toEqual([]);
    await passDays(made.user.id, 3);
    await answer(made.quiz.id, { version: 0, answers: wrong(made) }, { as: made.as });
    await answer(made.coding.id, { version: 0, rating: 'easy' }, { as: made.as });
    const recall = await reviewRecord(made.user.id);
    expect(recall.reduce((sum, { answers }) => sum + answers, 0)).toBe(2);
    expect(recall[0]).toMatchObject({ answers: 2, recalled: 50 });
    expect(recall[0]!.predicted).toBeGreaterThanOrEqual(85);
    const forgotten = await itemOf(made.user.id, made.quiz.id);
    const known = await itemOf(made.user.id, made.coding.id);
    expect(forgotten.lapses).toBe(1);
    expect(forgotten.due < known.due).toBe(true);
  });
});

describe('a program that comes back', () => {
  const RIGHT = 'const double = (n) => n * 2;';
  const WRONG = 'const double = (n) => n + 2;';

  /** A learner with such a program that is due. */
  async function dueProgram() {
    const made = await learner();
    await db()
      .update(lessons)
      .set({
        starterCode: 'const double = (n) => n;',
        testCases: [
          { input: 'double(4)', expectedOutput: '8' },
          { input: 'double(21)', expectedOutput: '42', hidden: true },
        ],
      })
      .where(eq(lessons.id, made.coding.id));
    await passDays(made.user.id, 4);
    const { id } = made.coding;
    const keptOfLesson = () =>
      Promise.all([
        db().select().from(codeSubmissions),
        db().select().from(lessonProgress),
        db().select().from(pointsLedger),
      ]);
    return {
      ...made,
      keptOfLesson,
      answers: () =>
        db()
          .select({ rating: reviewAnswers.rating })
          .from(reviewAnswers)
          .where(and(eq(reviewAnswers.userId, made.user.id), eq(reviewAnswers.lessonId, id))),
      item: () => itemOf(made.user.id, id),
      run: (
        code: unknown,
        { version = 0, as = made.as }: { version?: unknown; as?: CallOptions['as'] } = {},
      ) => run(id, { version, code }, { as }),
    };
  }

  it('opens with its starter code, and the first run that passes answers it as good', async () => {
    const made = await dueProgram();
    const { items } = (await list({ as: made.as })).body;
    const item = items.find(({ lessonId }: { lessonId: number }) => lessonId === made.coding.id);
    expect(item.task.editor).toEqual({ language: 'javascript', starterCode: 'const double = (n) => n;' });
    const before = await made.keptOfLesson();
    const { status, body } = await made.run(RIGHT);
    expect([status, body.run.isCorrect]).toEqual([200, true]);
    expect(body.answered).toMatchObject({ recalled: true, marked: null });
    expect(await made.answers()).toEqual([{ rating: 'good' }]);
    expect(await made.item()).toMatchObject({ version: 1, failedRuns: 0, lapses: 0 });
    expect(await made.keptOfLesson()).toEqual(before);
    const after = (await list({ as: made.as })).body;
    expect([after.dueCount, after.recall.length]).toEqual([1, 1]);
    // The first answer was lost: the same one comes again.
    expect((await made.run(RIGHT)).body.answered).toEqual(body.answered);
    expect(await made.answers()).toHaveLength(1);
  });

  it('is hard after a run that failed, which tells what hidden tests do not', async () => {
    const made = await dueProgram();
    const failed = await made.run(WRONG);
    expect(failed.body).toMatchObject({ run: { isCorrect: false, verdict: 'wrong_answer' }, answered: null });
    expect(failed.body.run.tests[1]).not.toHaveProperty('input');
    expect(await made.item()).toMatchObject({ version: 0, failedRuns: 1 });
    expect((await made.run(RIGHT)).body.answered.recalled).toBe(true);
    expect(await made.answers()).toEqual([{ rating: 'hard' }]);
    expect(await made.item()).toMatchObject({ version: 1, failedRuns: 0 });
  });

  it('is rated by its learner only as forgotten', async () => {
    const made = await dueProgram();
    const rate = (rating: string) => answer(made.coding.id, { version: 0, rating }, { as: made.as });
    for (const rating of ['hard', 'good', 'easy']) {
      const { status, body } = await rate(rating);
      expect([status, Object.keys(body.fields)]).toEqual([400, ['rating']]);
    }
    expect((await rate('forgot')).body.recalled).toBe(false);
    expect(await made.answers()).toEqual([{ rating: 'forgot' }]);
    // The answer stands, whatever is run afterwards.
    expect((await made.run(RIGHT)).body.answered.recalled).toBe(false);
    expect(await made.item()).toMatchObject({ lapses: 1, version: 1 });
  });

  it('counts once when it is run at the same time', async () => {
    const made = await dueProgram();
    const both = await Promise.all([made.run(RIGHT), made.run(RIGHT)]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(both[0]!.body.answered).toEqual(both[1]!.body.answered);
    expect(await made.answers()).toHaveLength(1);
  });

  it('is refused where nothing is due, and from others, before anything is judged', async () => {
    const made = await dueProgram();
    expect((await made.run(RIGHT, { as: null })).status).toBe(401);
    expect((await made.run(RIGHT, { as: await signIn(await makeUser()) })).status).toBe(404);
    for (const code of ['', '  ', 5, 'x'.repeat(65_537)]) expect((await made.run(code)).status).toBe(400);
    for (const version of [-1, 'x', null]) expect((await made.run(RIGHT, { version })).status).toBe(400);
    expect((await made.run(RIGHT, { version: 1 })).status).toBe(409);
    await db()
      .update(reviewItems)
      .set({ due: sql`now() + interval '2 days'` })
      .where(eq(reviewItems.userId, made.user.id));
    expect((await made.run(RIGHT)).body.message).toContain('not due yet');
    await db().update(enrollments).set({ status: 'revoked' }).where(eq(enrollments.userId, made.user.id));
    expect((await made.run(RIGHT)).status).toBe(404);
    expect(judge).not.toHaveBeenCalled();
    expect(await made.answers()).toEqual([]);
  });

  it('counts nothing where the judge gives no verdict, or access ends meanwhile', async () => {
    const made = await dueProgram();
    const before = await made.item();
    judge.mockRejectedValueOnce(new Error('gone'));
    const failed = await made.run(RIGHT);
    expect([failed.status, failed.body.message]).toEqual([
      503,
      expect.stringContaining('Nothing was counted'),
    ]);
    const verdict = await judgeClient.judge({
      language: 'javascript',
      code: RIGHT,
      tests: [],
      expectedOutput: undefined,
      fixture: undefined,
      owner: 'test',
    });
    judge.mockImplementationOnce(async () => {
      await db().update(enrollments).set({ status: 'revoked' }).where(eq(enrollments.userId, made.user.id));
      return verdict;
    });
    expect((await made.run(RIGHT)).status).toBe(404);
    expect(await made.item()).toEqual(before);
    expect(await made.answers()).toEqual([]);
  });

  it('is judged by its lesson as it is now, and rated by its learner where that checks nothing any more', async () => {
    const made = await dueProgram();
    const change = (values: object) => db().update(lessons).set(values).where(eq(lessons.id, made.coding.id));
    await change({ testCases: [{ input: 'double(4)', expectedOutput: '6' }] });
    expect((await made.run(WRONG)).body.answered.recalled).toBe(true);
    await passDays(made.user.id, 400);
    await change({ testCases: [], expectedOutput: '' });
    expect((await made.run(WRONG, { version: 1 })).status).toBe(409);
    const rated = await answer(made.coding.id, { version: 1, rating: 'good' }, { as: made.as });
    expect([rated.status, rated.body.recalled]).toEqual([200, true]);
  });
});

it('is named in the weekly mail while something is due', async () => {
  const { user } = await learner();
  const text = async () => mailLayout((await weeklyMail(user, '2026-W48'))!.content).text;
  expect(await text()).not.toContain('due for review');
  await passDays(user.id, 4);
  expect(await text()).toContain(
    '2 things that you learned are due for review. Today’s part takes about 2 minutes.',
  );
  expect(await text()).toMatch(/\/review$/m);
});

it('has of a day’s reviews what one answer has room for, and the others once these are answered', async () => {
  const made = await learner();
  for (let index = 0; index < 6; index += 1) {
    const lesson = await makeLesson(made.course.id, {
      ...{ type: 'interactive_coding', codingLanguage: 'javascript' },
      instructions: `Write ${index}. ${'&&& '.repeat(4_900)}`,
      starterCode: 'x'.repeat(65_000),
      content: '&&&&&&&&& '.repeat(9_900),
    });
    const of = { userId: made.user.id, courseId: made.course.id, lessonId: lesson.id };
    await db().transaction((tx) => recordCompletion(tx, of));
  }
  await passDays(made.user.id, 30);
  for (const { id } of [made.quiz, made.coding]) {
    expect((await later(id, { version: 0, until: 'next-week' }, { as: made.as })).status).toBe(200);
  }
  const first = await list({ as: made.as });
  expect(Buffer.byteLength(first.text)).toBeLessThanOrEqual(2_000_000);
  expect([first.body.dueCount, first.body.items.length]).toEqual([6, 2]);
  const [{ lessonId, version }] = first.body.items;
  expect((await later(lessonId, { version, until: 'next-week' }, { as: made.as })).status).toBe(200);
  const next = await list({ as: made.as });
  expect([next.body.dueCount, next.body.items[0].lessonId]).toEqual([5, first.body.items[1].lessonId]);
});
