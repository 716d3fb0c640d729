import { eq, inArray } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeCourse, makeEnrollment, makeLesson, makeUser } from '../../support/factories.ts';
import { lessons, type QuizSettings } from '#db/schema/catalogue.ts';
import { enrollments, lessonProgress, quizAttempts, quizQuestions } from '#db/schema/learn.ts';
import { questionInput, rowOfQuestion } from '#src/features/lessons/types/quiz/question.ts';
import * as checkRoute from '#src/pages/api/lessons/[id]/quiz-check.ts';
import * as quizRoute from '#src/pages/api/lessons/[id]/quiz.ts';
import { type CallOptions, callRoute, signIn } from '../../support/api.ts';
import { moveBack } from '../../support/move-back.ts';

const SINGLE = {
  question: 'Single',
  options: ['wrong', 'right'],
  correctAnswer: 1,
  explanation: 'secret why',
};
const EACH = [
  SINGLE,
  { kind: 'several_answers', question: 'Several', options: ['x', 'y', 'z'], correctAnswers: [0, 2] },
  { kind: 'true_false', question: 'True', isTrue: false, feedback: ['secret no', 'secret yes'] },
  { kind: 'short_text', question: 'Text', accepted: ['secret word'] },
  { kind: 'number', question: 'Number', value: 31.5, tolerance: 0.5, unit: 'km' },
  { kind: 'ordering', question: 'Order', items: ['d', 'a', 'c', 'b'] },
  {
    kind: 'matching',
    question: 'Match',
    pairs: [
      { prompt: 'p', match: '1' },
      { prompt: 'q', match: '2' },
    ],
    distractors: ['3'],
  },
  { kind: 'gaps', question: 'Gaps', text: 'A [[secret one]] and a [[secret two]].' },
];
const RIGHT = [
  1,
  ['x', 'z'],
  false,
  'Secret word',
  '32 km',
  ['d', 'a', 'c', 'b'],
  ['1', '2'],
  ['secret one', 'Secret two'],
];

/** A learner in a course with one quiz. */
async function quizOf(written: object[], quizSettings: QuizSettings = {}) {
  const user = await makeUser();
  const course = await makeCourse();
  const lesson = await makeLesson(course.id, { type: 'quiz', points: 20, quizSettings });
  const questions = await db()
    .insert(quizQuestions)
    .values(
      written.map((one, order) => ({
        ...rowOfQuestion(questionInput.parse(one)),
        lessonId: lesson.id,
        order,
      })),
    )
    .returning({ id: quizQuestions.id });
  await makeEnrollment(user.id, course.id);
  const ids = questions.map(({ id }) => id);
  const as = await signIn(user);
  return {
    user,
    lesson,
    ids,
    as,
    read: () => callRoute(quizRoute.GET, { params: { id: String(lesson.id) }, as }),
    submit: (answers: unknown, attempt?: unknown, who: CallOptions['as'] = as) =>
      callRoute(quizRoute.POST, {
        method: 'POST',
        params: { id: String(lesson.id) },
        body: { answers, attempt },
        as: who,
      }),
    answers: (values: readonly unknown[]) => Object.fromEntries(ids.map((id, index) => [id, values[index]])),
    made: () => db().select().from(quizAttempts).where(eq(quizAttempts.userId, user.id)),
  };
}

describe('a quiz of every kind', () => {
  it('gives nothing away before it is answered, and everything afterwards', async () => {
    const quiz = await quizOf(EACH);
    const before = await quiz.read();
    expect(before.status).toBe(200);
    expect(before.text).not.toMatch(/secret|correctAnswer|31\.5|isTrue/i);
    expect(before.body.questions.map(({ kind }: { kind?: string }) => kind ?? 'single_choice')).toEqual([
      'single_choice',
      ...EACH.slice(1).map((one) => (one as { kind: string }).kind),
    ]);
    expect(before.body.attempt).toBeUndefined();
    const { status, body } = await quiz.submit(quiz.answers(RIGHT));
    expect(status).toBe(200);
    expect(body.attempt).toMatchObject({ score: 100, passed: true });
    expect(body.completion.pointsAwarded).toBe(20);
    expect(body.answers.map(({ credit }: { credit?: number }) => credit ?? 1)).toEqual(Array(8).fill(1));
    expect(body.answers[0]).toMatchObject({ chosen: 1, correctAnswer: 1, explanation: 'secret why' });
    expect(body.answers[2].feedback).toEqual(['secret yes']);
    expect(body.answers[4].solutionText).toBe('31.5 ± 0.5 km');
    const after = await quiz.read();
    expect(after.body.lastResult.answers).toEqual(body.answers);
    expect(after.body.lastResult.questions).toEqual(body.questions);
  });

  it('shares points, and says which part was right', async () => {
    const quiz = await quizOf(EACH);
    const half = [0, ['x'], true, 'other', '40', ['a', 'c', 'b', 'd'], ['1', '3'], ['secret one', 'x']];
    const { body } = await quiz.submit(quiz.answers(half));
    expect(body.answers.map(({ credit }: { credit?: number }) => credit ?? 0)).toEqual([
      0,
      0.5,
      0,
      0,
      0,
      2 / 3,
      0.5,
      0.5,
    ]);
    expect(body.attempt.score).toBe(27);
    expect(body.answers[6].rightParts).toEqual([true, false]);
    expect(body.answers[7].rightParts).toEqual([true, false]);
  });

  it('names each question that is not answered so that it can be marked, and keeps nothing', async () => {
    const quiz = await quizOf(EACH);
    const wrong = [5, [], 'yes', ' ', 'many', ['d'], ['1', ''], ['', 'x']];
    const { status, body } = await quiz.submit(quiz.answers(wrong));
    expect(status).toBe(400);
    expect(Object.values(body.fields)).toEqual([
      'Question 1 has no such option',
      'Question 2 has no answer',
      'Question 3 has no such option',
      'Question 4 has no answer',
      'Question 5 needs a number, such as 12.5 km',
      'Question 6 has no such option',
      'Question 7 has a prompt without a match',
      'Question 8 has an empty gap',
    ]);
    for (const answer of [{}, { a: 1 }, null, ['\0', 'x'], 'x'.repeat(2001), Array(21).fill('x')]) {
      expect((await quiz.submit({ ...quiz.answers(RIGHT), [quiz.ids[7]!]: answer })).status).toBe(400);
    }
    expect(await quiz.made()).toEqual([]);
  });

  it('is for those enrolled alone', async () => {
    const quiz = await quizOf(EACH, { attempts: 2 });
    expect((await quiz.submit(quiz.answers(RIGHT), 1, null)).status).toBe(401);
    expect((await quiz.submit(quiz.answers(RIGHT), 1, await signIn(await makeUser()))).status).toBe(404);
    await db().update(enrollments).set({ status: 'revoked' }).where(eq(enrollments.userId, quiz.user.id));
    expect((await quiz.submit(quiz.answers(RIGHT), 1)).status).toBe(404);
    expect(await quiz.made()).toEqual([]);
  });
});

describe('a quiz with a limited number of attempts', () => {
  it('takes so many and no more, and says how many are left', async () => {
    const quiz = await quizOf([SINGLE], { attempts: 2 });
    expect((await quiz.read()).body).toMatchObject({ attempt: 1, attemptsLeft: 2 });
    expect((await quiz.submit(quiz.answers([0]), 1)).status).toBe(200);
    expect((await quiz.read()).body).toMatchObject({ attempt: 2, attemptsLeft: 1 });
    expect((await quiz.submit(quiz.answers([0]), 2)).status).toBe(200);
    expect((await quiz.read()).body.attemptsLeft).toBe(0);
    const refused = await quiz.submit(quiz.answers([1]), 3);
    expect([refused.status, refused.body.message]).toEqual([409, 'You have used all 2 attempts.']);
    expect((await quiz.submit(quiz.answers([1]))).status).toBe(409);
    expect(await quiz.made()).toHaveLength(2);
  });

  it('counts a repeated request once, and gives its result again', async () => {
    const quiz = await quizOf([SINGLE], { attempts: 3 });
    const first = await quiz.submit(quiz.answers([1]), 1);
    const again = await quiz.submit(quiz.answers([1]), 1);
    expect(again.status).toBe(200);
    expect([again.body.attempt, again.body.answers]).toEqual([first.body.attempt, first.body.answers]);
    expect(again.body.completion.pointsAwarded).toBe(0);
    const other = await quiz.submit(quiz.answers([0]), 1);
    expect([other.status, other.body.message]).toEqual([409, expect.stringContaining('already handed in')]);
    for (const attempt of [3, 99]) expect((await quiz.submit(quiz.answers([1]), attempt)).status).toBe(409);
    for (const attempt of [0, -1, 1.5, 'x']) {
      expect((await quiz.submit(quiz.answers([1]), attempt)).status).toBe(400);
    }
    expect(await quiz.made()).toHaveLength(1);
  });

  it('takes one of twenty requests at once for its last attempt', async () => {
    const quiz = await quizOf([SINGLE], { attempts: 1 });
    const same = await Promise.all(Array.from({ length: 20 }, () => quiz.submit(quiz.answers([1]), 1)));
    expect(same.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(new Set(same.map(({ body }) => body.attempt.id)).size).toBe(1);
    const unnamed = await quizOf([SINGLE], { attempts: 1 });
    const all = await Promise.all(Array.from({ length: 20 }, () => unnamed.submit(unnamed.answers([1]))));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(all.filter(({ status }) => status === 409)).toHaveLength(19);
    expect([await quiz.made(), await unnamed.made()].map(({ length }) => length)).toEqual([1, 1]);
  });

  it('waits between attempts, to the second', async () => {
    const quiz = await quizOf([SINGLE], { waitMinutes: 10 });
    expect((await quiz.read()).body.waitsUntil).toBeUndefined();
    expect((await quiz.submit(quiz.answers([0]), 1)).status).toBe(200);
    const early = await quiz.submit(quiz.answers([1]), 2);
    expect([early.status, early.body.message]).toEqual([409, 'The next attempt is possible in 10 minutes.']);
    expect(Number(early.headers.get('retry-after'))).toBeGreaterThan(590);
    const [made] = await quiz.made();
    const ago = (seconds: number) =>
      moveBack(quizAttempts, eq(quizAttempts.id, made!.id), { submittedAt: { seconds } });
    await ago(10 * 60 - 20);
    expect((await quiz.read()).body.waitsUntil).toEqual(expect.any(String));
    expect((await quiz.submit(quiz.answers([1]), 2)).body.message).toBe(
      'The next attempt is possible in 1 minute.',
    );
    await ago(10 * 60 + 1);
    expect((await quiz.read()).body.waitsUntil).toBeUndefined();
    expect((await quiz.submit(quiz.answers([1]), 2)).body.attempt.passed).toBe(true);
  });
});

describe('a quiz with a pass mark, shuffled and drawn', () => {
  it('passes at its own mark', async () => {
    const quiz = await quizOf([SINGLE, SINGLE], { passPercent: 50 });
    expect((await quiz.read()).body.passPercent).toBe(50);
    expect((await quiz.submit(quiz.answers([1, 0]))).body.attempt).toMatchObject({ score: 50, passed: true });
    await db()
      .update(lessons)
      .set({ quizSettings: { passPercent: 51 } })
      .where(eq(lessons.id, quiz.lesson.id));
    expect((await quiz.submit(quiz.answers([1, 0]))).body.attempt).toMatchObject({
      score: 50,
      passed: false,
    });
  });

  it('asks the same until it is handed in, then others', async () => {
    const bank = Array.from({ length: 12 }, (_, index) => ({
      ...SINGLE,
      question: `Q${index}`,
      tags: ['bank'],
    }));
    const quiz = await quizOf(bank, {
      draw: [{ tag: 'bank', count: 4 }],
      shuffleQuestions: true,
      shuffleOptions: true,
    });
    type Shown = { id: number; options: string[]; shuffled?: true };
    const asked = async (): Promise<Shown[]> => (await quiz.read()).body.questions;
    const first = await asked();
    expect(first).toHaveLength(4);
    expect(await asked()).toEqual(first);
    expect(first.every(({ shuffled }) => shuffled)).toBe(true);
    const answers = Object.fromEntries(first.map(({ id }) => [id, 'right']));
    // All twelve were never asked, and three are too few.
    expect((await quiz.submit(quiz.answers(Array(12).fill(1)), 1)).status).toBe(409);
    const { [first[0]!.id]: _, ...three } = answers;
    expect((await quiz.submit(three, 1)).status).toBe(400);
    const { body } = await quiz.submit(answers, 1);
    expect(body.attempt).toMatchObject({ score: 100, passed: true });
    expect(body.questions).toEqual(first);
    expect((await asked()).map(({ id }) => id)).not.toEqual(first.map(({ id }) => id));
    expect((await quiz.read()).body.lastResult.questions).toEqual(first);
  });

  it('draws from the other quizzes of its course, and from no other course', async () => {
    const others = await quizOf(
      Array.from({ length: 5 }, (_, index) => ({ ...SINGLE, question: `B${index}`, tags: ['bank', 'x'] })),
    );
    await quizOf([{ ...SINGLE, question: 'Of another course', tags: ['bank'] }]);
    const [plain] = await db()
      .insert(quizQuestions)
      .values({ ...rowOfQuestion(questionInput.parse(SINGLE)), lessonId: others.lesson.id, order: 9 })
      .returning();
    const quiz = await makeLesson(others.lesson.courseId, {
      type: 'quiz',
      quizSettings: { draw: [{ tag: 'bank', count: 3, from: 'course' }] },
    });
    const params = { id: String(quiz.id) };
    const read = () => callRoute(quizRoute.GET, { params, as: others.as });
    const submit = (answers: object, attempt: number) =>
      callRoute(quizRoute.POST, { method: 'POST', params, body: { answers, attempt }, as: others.as });
    const { body, text } = await read();
    const asked: number[] = body.questions.map(({ id }: { id: number }) => id);
    expect(asked).toHaveLength(3);
    expect(others.ids).toEqual(expect.arrayContaining(asked));
    expect(text).not.toMatch(/secret/);
    const right = Object.fromEntries(asked.map((id) => [id, 1]));
    expect((await submit({ ...right, [plain!.id]: 1 }, 1)).status).toBe(409);
    const done = await submit(right, 1);
    expect(done.body).toMatchObject({ attempt: { score: 100, passed: true } });
    expect(done.body.answers).toHaveLength(3);
    expect((await submit(right, 1)).body.attempt).toEqual(done.body.attempt);
    expect(
      (await read()).body.lastResult.answers.map(({ questionId }: { questionId: number }) => questionId),
    ).toEqual(asked);
    // What is left of the bank is asked where it has become too small.
    await db()
      .delete(quizQuestions)
      .where(inArray(quizQuestions.id, others.ids.slice(1)));
    expect((await read()).body.questions.map(({ id }: { id: number }) => id)).toEqual(others.ids.slice(0, 1));
    await db().delete(quizQuestions).where(eq(quizQuestions.id, others.ids[0]!));
    expect((await read()).body.questions).toEqual([]);
    expect((await submit({}, 2)).status).toBe(409);
  });
});

describe('a quiz with feedback after each question', () => {
  const EACH_TOLD = { feedback: 'each' } as const;
  /** Such a quiz with the call that checks one answer. */
  async function toldQuiz(written: object[], settings: QuizSettings = {}) {
    const quiz = await quizOf(written, { ...EACH_TOLD, ...settings });
    const check = (
      answers: unknown,
      { as = quiz.as, ...more }: { as?: CallOptions['as']; attempt?: unknown; practice?: unknown } = {},
    ) =>
      callRoute(checkRoute.POST, {
        method: 'POST',
        params: { id: String(quiz.lesson.id) },
        body: { answers, ...more },
        as,
      });
    const one = (at: number, value: unknown) => ({ [quiz.ids[at]!]: value });
    return { ...quiz, check, one };
  }

  it('tells each answer at once, keeps it through a reload, and makes the score of them', async () => {
    const quiz = await toldQuiz(EACH, { shuffleOptions: true });
    expect((await quiz.read()).body).toMatchObject({ feedback: 'each', attempt: 1 });
    expect((await quiz.read()).body.checked).toBeUndefined();
    const given = [
      'wrong',
      ['x'],
      false,
      'Secret word',
      '40',
      ['a', 'c', 'b', 'd'],
      ['1', '3'],
      ['secret one', 'x'],
    ];
    const told = [];
    for (const [at, value] of given.entries()) {
      const { status, body } = await quiz.check(quiz.one(at, value), { attempt: 1 });
      expect(status).toBe(200);
      told.push(body);
    }
    expect(told[0]).toMatchObject({ chosen: 0, correctAnswer: 1, given: 'wrong', explanation: 'secret why' });
    expect((await quiz.read()).body.checked).toEqual(told);
    expect(await quiz.made()).toEqual([]);
    // What is submitted now comes too late.
    const late = await quiz.submit(quiz.answers(RIGHT), 1);
    expect(late.body.answers).toEqual(told);
    expect(late.body.attempt.score).toBe(52);
    const again = await quiz.submit({}, 1);
    expect([again.status, again.body.attempt]).toEqual([200, late.body.attempt]);
    expect((await quiz.read()).body).toMatchObject({ attempt: 2 });
    expect((await quiz.read()).body.checked).toBeUndefined();
    expect(await quiz.made()).toHaveLength(1);
  });

  it('keeps the first of repeated and of concurrent answers, and gives the feedback to that', async () => {
    const quiz = await toldQuiz([SINGLE, SINGLE]);
    const first = await quiz.check(quiz.one(0, 0));
    expect((await quiz.check(quiz.one(0, 1))).body).toEqual(first.body);
    expect((await quiz.check(quiz.one(0, 'none'))).body).toEqual(first.body);
    const many = await Promise.all(
      Array.from({ length: 12 }, (_, index) => quiz.check(quiz.one(1, index % 2))),
    );
    expect(many.map(({ status }) => status)).toEqual(Array(12).fill(200));
    expect(new Set(many.map(({ text }) => text)).size).toBe(1);
    const { body } = await quiz.submit({}, 1);
    expect(body.answers).toEqual([first.body, many[0]!.body]);
  });

  it('refuses what is no answer, and whoever may not answer, and keeps nothing', async () => {
    const quiz = await toldQuiz([SINGLE, SINGLE]);
    const status = async (...given: Parameters<typeof quiz.check>) => (await quiz.check(...given)).status;
    for (const answers of [{}, quiz.answers([1, 1]), null, 'x', { a: 1 }]) {
      expect(await status(answers)).toBe(400);
    }
    const wrong = await quiz.check(quiz.one(1, 7));
    expect([wrong.status, wrong.body.fields]).toEqual([
      400,
      { [`answers.${quiz.ids[1]}`]: 'Question 2 has no such option' },
    ]);
    for (const attempt of [0, 1.5, 'x']) expect(await status(quiz.one(0, 1), { attempt })).toBe(400);
    expect(await status(quiz.one(0, 1), { practice: 'yes' })).toBe(400);
    expect(await status(quiz.one(0, 1), { attempt: 2 })).toBe(409);
    expect(await status({ 999999999: 1 })).toBe(409);
    expect(await status(quiz.one(0, 1), { as: null })).toBe(401);
    expect(await status(quiz.one(0, 1), { as: await signIn(await makeUser()) })).toBe(404);
    // Another quiz's question is none of this one.
    const other = await toldQuiz([SINGLE]);
    expect(await status(other.one(0, 1))).toBe(409);
    const atEnd = await quizOf([SINGLE]);
    const refused = await callRoute(checkRoute.POST, {
      method: 'POST',
      params: { id: String(atEnd.lesson.id) },
      body: { answers: atEnd.answers([1]) },
      as: atEnd.as,
    });
    expect([refused.status, refused.text]).toEqual([409, expect.not.stringContaining('secret')]);
    await db().update(enrollments).set({ status: 'revoked' }).where(eq(enrollments.userId, quiz.user.id));
    expect(await status(quiz.one(0, 1))).toBe(404);
    expect(await kept(quiz)).toEqual([]);
  });

  it('keeps what each learner answered to themselves', async () => {
    const quiz = await toldQuiz([SINGLE]);
    await quiz.check(quiz.one(0, 0));
    const other = await makeUser();
    await makeEnrollment(other.id, quiz.lesson.courseId);
    const as = await signIn(other);
    expect((await quiz.check(quiz.one(0, 1), { as })).body.chosen).toBe(1);
    expect((await quiz.read()).body.checked).toMatchObject([{ chosen: 0 }]);
  });

  it('tells nothing once an attempt is handed in, none is left, or the next one has to wait', async () => {
    const quiz = await toldQuiz([SINGLE], { attempts: 2, waitMinutes: 10 });
    await quiz.check(quiz.one(0, 0), { attempt: 1 });
    await quiz.submit({}, 1);
    const message = async (attempt?: number) => {
      const { status, body, text } = await quiz.check(quiz.one(0, 1), { attempt });
      expect([status, text]).toEqual([409, expect.not.stringContaining('secret')]);
      return body.message;
    };
    expect(await message(1)).toContain('already handed in');
    expect(await message(2)).toBe('The next attempt is possible in 10 minutes.');
    const [made] = await quiz.made();
    await moveBack(quizAttempts, eq(quizAttempts.id, made!.id), { submittedAt: { seconds: 601 } });
    expect((await quiz.check(quiz.one(0, 1), { attempt: 2 })).status).toBe(200);
    expect((await quiz.submit({}, 2)).body.attempt.score).toBe(100);
    expect(await message(3)).toBe('You have used all 2 attempts.');
  });

  it('asks for what was wrong once more, which changes no score', async () => {
    const quiz = await toldQuiz([SINGLE, SINGLE]);
    expect((await quiz.check(quiz.one(0, 1), { practice: true })).status).toBe(409);
    await quiz.check(quiz.one(0, 0));
    await quiz.submit(quiz.one(1, 1), 1);
    const again = await quiz.check(quiz.one(0, 1), { practice: true });
    expect([again.status, again.body]).toEqual([
      200,
      expect.objectContaining({ chosen: 1, correctAnswer: 1 }),
    ]);
    const after = (await quiz.read()).body;
    expect(after).toMatchObject({ bestScore: 50, attempts: [{ score: 50 }] });
    expect(after.lastResult.answers[0].chosen).toBe(0);
  });

  it('goes on with what was drawn, and drops the answers to questions that are gone', async () => {
    const bank = Array.from({ length: 6 }, (_, index) => ({
      ...SINGLE,
      question: `Q${index}`,
      tags: ['bank'],
    }));
    const quiz = await toldQuiz(bank, { draw: [{ tag: 'bank', count: 3 }], shuffleQuestions: true });
    const asked: { id: number }[] = (await quiz.read()).body.questions;
    const [first, second, third] = asked.map(({ id }) => id) as [number, number, number];
    const notAsked = quiz.ids.find((id) => ![first, second, third].includes(id))!;
    expect((await quiz.check({ [notAsked]: 1 }, { attempt: 1 })).status).toBe(409);
    for (const id of [first, second]) await quiz.check({ [id]: 0 }, { attempt: 1 });
    expect((await quiz.read()).body.checked).toHaveLength(2);
    await db()
      .update(quizQuestions)
      .set({ details: {} })
      .where(inArray(quizQuestions.id, [second, third]));
    await db().delete(quizQuestions).where(eq(quizQuestions.id, first));
    const now = (await quiz.read()).body;
    expect(now.checked.map(({ questionId }: { questionId: number }) => questionId)).toEqual([second]);
    const open = now.questions.map(({ id }: { id: number }) => id).filter((id: number) => id !== second);
    const { status, body } = await quiz.submit(Object.fromEntries(open.map((id: number) => [id, 1])), 1);
    expect(status).toBe(200);
    expect(body.answers.find(({ questionId }: { questionId: number }) => questionId === second).chosen).toBe(
      0,
    );
  });

  const kept = async ({ user }: { user: { id: number } }) =>
    (
      await db()
        .select({ checked: lessonProgress.quizChecked })
        .from(lessonProgress)
        .where(eq(lessonProgress.userId, user.id))
    ).flatMap(({ checked }) => (checked ? [checked] : []));
});

describe('a quiz that is handed in under a name of the request', () => {
  const NAMED = '6d2cf24f-8f1c-4f0e-9d3a-6f0c9b1f7f10';
  const sendAs = (lessonId: number, answers: unknown, requestId: unknown, as: CallOptions['as']) =>
    callRoute(quizRoute.POST, {
      method: 'POST',
      params: { id: String(lessonId) },
      body: { answers, requestId },
      as,
    });

  it('counts once, one after the other and at the same time, also after the quiz has changed', async () => {
    const quiz = await quizOf([SINGLE], {});
    const send = (answers: unknown = quiz.answers([1]), name: unknown = NAMED) =>
      sendAs(quiz.lesson.id, answers, name, quiz.as);
    const all = await Promise.all(Array.from({ length: 10 }, () => send()));
    expect(all.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(new Set(all.map(({ body }) => body.attempt.id)).size).toBe(1);
    await db().delete(quizQuestions).where(eq(quizQuestions.lessonId, quiz.lesson.id));
    const later = await send();
    expect([later.status, later.body.attempt]).toEqual([200, all[0]!.body.attempt]);
    expect(await quiz.made()).toHaveLength(1);
    expect((await send(quiz.answers([1]), 'twelve')).body.fields).toEqual({
      requestId: 'Request id must be a UUID',
    });
  });

  it('takes another name for another attempt, and the name of somebody else for none of theirs', async () => {
    const quiz = await quizOf([SINGLE], {});
    expect((await sendAs(quiz.lesson.id, quiz.answers([0]), NAMED, quiz.as)).body.attempt.passed).toBe(false);
    const other = NAMED.replace('6d', '7d');
    expect((await sendAs(quiz.lesson.id, quiz.answers([1]), other, quiz.as)).body.attempt.passed).toBe(true);
    expect(await quiz.made()).toHaveLength(2);
    const neighbor = await makeUser();
    await makeEnrollment(neighbor.id, quiz.lesson.courseId);
    const theirs = await sendAs(quiz.lesson.id, quiz.answers([1]), NAMED, await signIn(neighbor));
    expect(theirs.body.attempt).toMatchObject({ passed: true });
    expect(await quiz.made()).toHaveLength(2);
  });
});
