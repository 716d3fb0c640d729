import { and, eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourse, makeEnrollment, makeLesson, makeUser } from '../../support/factories.ts';
import { enrollments, lessonProgress, pointsLedger, quizAttempts, quizQuestions } from '#db/schema/learn.ts';
import { findClassroom } from '#src/features/learn/classroom/classroom.server.ts';
import { openLesson } from '../../support/open-lesson.ts';
import { openedParts } from '#src/features/learn/classroom/opened-parts.server.ts';
import * as courseRoute from '#src/pages/api/courses/[id].ts';
import * as quizRoute from '#src/pages/api/lessons/[id]/quiz.ts';
import * as myEnrollmentRoute from '#src/pages/api/my-enrollments/[courseId].ts';
import { type CallOptions, callRoute, signIn } from '../../support/api.ts';

const LESSON_NOT_FOUND = "Lesson not found or you don't have access to it.";
const getQuiz = (lessonId: unknown, options: CallOptions = {}) =>
  callRoute(quizRoute.GET, { params: { id: String(lessonId) }, ...options });
const submit = (lessonId: unknown, body: unknown, options: CallOptions = {}) =>
  callRoute(quizRoute.POST, { method: 'POST', params: { id: String(lessonId) }, body, ...options });

/** A learner in a course with one quiz of so many questions; each has its right answer at 1 of 3. */
async function quizOf(count: number) {
  const user = await makeUser();
  const course = await makeCourse();
  const lesson = await makeLesson(course.id, { type: 'quiz', points: 20 });
  const questions =
    count === 0
      ? []
      : await db()
          .insert(quizQuestions)
          .values(
            Array.from({ length: count }, (_, index) => ({
              lessonId: lesson.id,
              question: `Question ${index}`,
              options: ['wrong', 'right', 'also wrong'],
              correctAnswer: 1,
              explanation: `secret explanation ${index}`,
              order: index,
            })),
          )
          .returning();
  await makeEnrollment(user.id, course.id);
  /** Answers of which so many are right. */
  const answers = (right: number) =>
    Object.fromEntries(questions.map(({ id }, index) => [String(id), index < right ? 1 : 0]));
  return { user, course, lesson, questions, answers, as: await signIn(user) };
}

describe('GET /api/lessons/{id}/quiz', () => {
  it('gives the questions in order, without answers, before a submit (I2, decision 36)', async () => {
    const { lesson, questions, course, user, as } = await quizOf(3);
    await db().update(quizQuestions).set({ order: -1 }).where(eq(quizQuestions.id, questions[2]!.id));
    const answer = await getQuiz(lesson.id, { as });
    expect(answer.body).toEqual({
      lessonId: lesson.id,
      title: lesson.title,
      passPercent: 70,
      questions: [questions[2]!, questions[0]!, questions[1]!].map(({ id, question, options }) => ({
        id,
        question,
        options,
      })),
      attempts: [],
      bestScore: null,
      passed: false,
      lastResult: null,
    });
    const elsewhere = await Promise.all([
      callRoute(myEnrollmentRoute.GET, { as, params: { courseId: String(course.id) } }),
      callRoute(courseRoute.GET, { as, params: { id: String(course.id) } }),
    ]);
    const viewer = await findClassroom({ id: user.id, role: 'student' }, course.id);
    const opened = await openLesson(user.id, course.id, lesson.id);
    const parts = await openedParts(user.id, opened!);
    expect(parts.own).toMatchObject({ questions: { length: 3 } });
    for (const text of [
      answer.text,
      ...elsewhere.map((one) => one.text),
      JSON.stringify([viewer, opened, parts]),
    ]) {
      expect(text).not.toMatch(/correctAnswer|secret/);
    }
  });

  it('is for those enrolled alone', async () => {
    const { lesson, course, as } = await quizOf(1);
    const other = await quizOf(1);
    const plain = await makeLesson(course.id);
    expect((await getQuiz(lesson.id)).status).toBe(401);
    for (const id of [
      other.lesson.id,
      plain.id,
      2_000_000_000,
      'abc',
      '0',
      '-1',
      '1e3',
      '9'.repeat(10_240),
    ]) {
      expect((await getQuiz(id, { as })).status).toBe(404);
    }
    expect((await getQuiz(other.lesson.id, { as })).body.message).toBe(LESSON_NOT_FOUND);
    expect((await getQuiz(lesson.id, { as: await signIn(await makeAdmin()) })).status).toBe(404);
  });
});

describe('POST /api/lessons/{id}/quiz', () => {
  it('passes at 70 %, completes the lesson and gives its points', async () => {
    const { user, course, lesson, questions, answers, as } = await quizOf(10);
    const { status, body } = await submit(lesson.id, { answers: answers(7) }, { as });
    expect(status).toBe(200);
    expect(body.attempt).toMatchObject({ score: 70, passed: true });
    expect(body.bestScore).toBe(70);
    expect(body.answers).toEqual(
      questions.map(({ id }, index) => ({
        questionId: id,
        chosen: index < 7 ? 1 : 0,
        correctAnswer: 1,
        explanation: `secret explanation ${index}`,
      })),
    );
    expect(body.completion).toMatchObject({ courseId: course.id, progress: 100, pointsAwarded: 20 });
    const [row] = await db()
      .select()
      .from(enrollments)
      .where(and(eq(enrollments.userId, user.id), eq(enrollments.courseId, course.id)));
    expect(row).toMatchObject({ progress: 100, totalPoints: 20 });
  });

  it('does not pass below, not even at 69.9', async () => {
    const { user, lesson, answers, as } = await quizOf(23);
    const { body } = await submit(lesson.id, { answers: answers(16) }, { as });
    expect([body.attempt, body.completion]).toMatchObject([{ score: 69, passed: false }, null]);
    const [progress] = await db().select().from(lessonProgress).where(eq(lessonProgress.userId, user.id));
    expect(progress).toMatchObject({ completed: false, score: 69, attempts: 1 });
    expect(await db().select().from(pointsLedger).where(eq(pointsLedger.userId, user.id))).toEqual([]);
  });

  it('counts the best score, keeps a pass, and lists the attempts with the newest first', async () => {
    const { user, lesson, answers, as } = await quizOf(4);
    const scores = [];
    for (const right of [1, 4, 2]) {
      scores.push((await submit(lesson.id, { answers: answers(right) }, { as })).body.bestScore);
    }
    expect(scores).toEqual([25, 100, 100]);
    const { body } = await getQuiz(lesson.id, { as });
    expect(body.attempts.map(({ score }: { score: number }) => score)).toEqual([50, 100, 25]);
    expect([body.bestScore, body.passed]).toEqual([100, true]);
    expect(body.lastResult.attempt.score).toBe(50);
    expect(body.lastResult.answers[0]).toMatchObject({ chosen: 1, correctAnswer: 1 });
    const [progress] = await db().select().from(lessonProgress).where(eq(lessonProgress.userId, user.id));
    expect(progress).toMatchObject({ completed: true, score: 100, attempts: 3 });
  });

  it('gives points once to 20 submits at once', async () => {
    const { user, course, lesson, answers, as } = await quizOf(2);
    const all = await Promise.all(
      Array.from({ length: 20 }, () => submit(lesson.id, { answers: answers(2) }, { as })),
    );
    expect(all.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(all.reduce((sum, { body }) => sum + body.completion.pointsAwarded, 0)).toBe(20);
    const [progress] = await db().select().from(lessonProgress).where(eq(lessonProgress.userId, user.id));
    expect(progress).toMatchObject({ attempts: 20, score: 100 });
    expect(await db().select().from(quizAttempts).where(eq(quizAttempts.userId, user.id))).toHaveLength(20);
    const [row] = await db().select().from(enrollments).where(eq(enrollments.courseId, course.id));
    expect(row).toMatchObject({ progress: 100, totalPoints: 20 });
  });

  it('names the questions without an answer, and keeps nothing of such a submit', async () => {
    const { user, lesson, questions, as } = await quizOf(3);
    const [first, second, third] = questions;
    const partly = await submit(lesson.id, { answers: { [first!.id]: 1, [third!.id]: 9 } }, { as });
    expect([partly.status, partly.body.message, partly.body.fields]).toEqual([
      400,
      'Question 2 has no answer',
      {
        [`answers.${second!.id}`]: 'Question 2 has no answer',
        [`answers.${third!.id}`]: 'Question 3 has no such option',
      },
    ]);
    for (const body of [
      {},
      { answers: [] },
      { answers: 'x' },
      { answers: null },
      { answers: { [first!.id]: -1 } },
      { answers: { [first!.id]: 1.5 } },
      { answers: { [first!.id]: '1' } },
      { answers: { abc: 1 } },
      { answers: { toString: 1 } },
    ]) {
      const answer = await submit(lesson.id, body, { as });
      expect([JSON.stringify(body), answer.status]).toEqual([JSON.stringify(body), 400]);
      expect(answer.text).not.toContain('correctAnswer');
    }
    expect(await db().select().from(quizAttempts).where(eq(quizAttempts.userId, user.id))).toEqual([]);
  });

  it('asks to reload when the quiz was changed meanwhile', async () => {
    const { lesson, questions, answers, as } = await quizOf(2);
    await db().delete(quizQuestions).where(eq(quizQuestions.id, questions[0]!.id));
    const answer = await submit(lesson.id, { answers: answers(2) }, { as });
    expect([answer.status, answer.body.message]).toEqual([409, expect.stringContaining('Reload the page')]);
    const empty = await quizOf(0);
    expect((await submit(empty.lesson.id, { answers: {} }, { as: empty.as })).status).toBe(409);
  });

  it('takes no score from the body (A17), nothing from strangers, and nothing across sites (A10)', async () => {
    const { lesson, answers, as } = await quizOf(2);
    const forged = { answers: answers(0), score: 100, passed: true, userId: 1 };
    expect((await submit(lesson.id, forged, { as })).body.attempt).toMatchObject({ score: 0, passed: false });
    expect((await submit(lesson.id, { answers: answers(2) })).status).toBe(401);
    const stranger = await signIn(await makeUser());
    expect((await submit(lesson.id, { answers: answers(2) }, { as: stranger })).status).toBe(404);
    const foreign = { withCookie: as, headers: { origin: 'https://evil.test' } };
    expect((await submit(lesson.id, { answers: answers(2) }, foreign)).status).toBe(403);
    const [row] = await db().select().from(enrollments).where(eq(enrollments.courseId, lesson.courseId));
    await db().update(enrollments).set({ status: 'revoked' }).where(eq(enrollments.id, row!.id));
    expect((await submit(lesson.id, { answers: answers(2) }, { as })).status).toBe(404);
  });
});
