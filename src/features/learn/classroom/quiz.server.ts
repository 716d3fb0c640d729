import { and, asc, desc, eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { db, type Executor } from '#db/client.ts';
import { lessonProgress, quizAttempts, quizQuestions } from '#db/schema/learn.ts';
import { requireAnswers } from '#src/features/catalogue/quiz-answers.ts';
import { retryOnConflict } from '#src/server/database-errors.ts';
import { AppError } from '#src/shared/errors.ts';
import {
  getLearnersLesson,
  type LearnersLesson,
  lockLearnersLesson,
  recordCompletion,
} from '#src/features/learn/progress/learn.server.ts';
import { LESSON_NOT_FOUND, QUIZ_PASS_PERCENT, quizScore } from '#src/features/learn/progress/learn.ts';
import type { QuizModel, QuizResult, submitQuizCall } from '#src/features/learn/schema.ts';
import { has } from '#src/features/lessons/registry.ts';

/** Attempts that the history shows. */
const HISTORY = 20;

type Question = Pick<
  typeof quizQuestions.$inferSelect,
  'id' | 'question' | 'options' | 'correctAnswer' | 'explanation'
>;
type Attempt = typeof quizAttempts.$inferSelect;

function questionsOf(executor: Executor, lessonId: number): Promise<Question[]> {
  return executor
    .select({
      id: quizQuestions.id,
      question: quizQuestions.question,
      options: quizQuestions.options,
      correctAnswer: quizQuestions.correctAnswer,
      explanation: quizQuestions.explanation,
    })
    .from(quizQuestions)
    .where(eq(quizQuestions.lessonId, lessonId))
    .orderBy(asc(quizQuestions.order), asc(quizQuestions.id));
}

const attemptModel = ({ id, score, passed, submittedAt }: Attempt) => ({
  id,
  score,
  passed,
  submittedAt: submittedAt.toISOString(),
});

// The answers leave the server here alone, and an attempt is needed to get here (decision 36, fault I2).
function resultOf(attempt: Attempt, questions: readonly Question[]): QuizResult {
  return {
    attempt: attemptModel(attempt),
    answers: questions.map(({ id, correctAnswer, explanation }) => ({
      questionId: id,
      chosen: attempt.answers[id] ?? null,
      correctAnswer,
      explanation,
    })),
  };
}

function requireQuiz(lesson: LearnersLesson): void {
  if (!has(lesson.type, 'questions')) throw new AppError('not_found', LESSON_NOT_FOUND);
}

/**
 * A quiz as its learner sees it: the questions without their answers, and what they have submitted so far.
 *
 * @throws {AppError} not_found where the learner has no such lesson or it is no quiz
 */
export async function getQuiz(userId: number, lessonId: number): Promise<QuizModel> {
  const lesson = await getLearnersLesson(userId, lessonId);
  requireQuiz(lesson);
  const [questions, attempts, [best]] = await Promise.all([
    questionsOf(db(), lessonId),
    db()
      .select()
      .from(quizAttempts)
      .where(and(eq(quizAttempts.userId, userId), eq(quizAttempts.lessonId, lessonId)))
      .orderBy(desc(quizAttempts.submittedAt), desc(quizAttempts.id))
      .limit(HISTORY),
    db()
      .select({ score: lessonProgress.score, completed: lessonProgress.completed })
      .from(lessonProgress)
      .where(and(eq(lessonProgress.userId, userId), eq(lessonProgress.lessonId, lessonId))),
  ]);
  return {
    lessonId,
    title: lesson.title,
    passPercent: QUIZ_PASS_PERCENT,
    questions: questions.map(({ id, question, options }) => ({ id, question, options })),
    attempts: attempts.map(attemptModel),
    bestScore: best?.score ?? null,
    passed: best?.completed ?? false,
    lastResult: attempts[0] ? resultOf(attempts[0], questions) : null,
  };
}

/**
 * Marks a submitted quiz, keeps it, and completes the lesson when it passes (decision 36). The best score counts.
 *
 * @param answers the chosen option by question id
 * @throws {AppError} invalid_input naming the questions without a valid answer; conflict where the quiz has other
 *   questions by now; not_found where the learner has no such quiz
 */
export async function submitQuiz(
  userId: number,
  lessonId: number,
  answers: Record<string, number>,
): Promise<z.output<typeof submitQuizCall.output>> {
  return retryOnConflict(() =>
    db().transaction(async (tx) => {
      const lesson = await lockLearnersLesson(tx, userId, lessonId);
      requireQuiz(lesson);
      const questions = await questionsOf(tx, lessonId);
      if (questions.length === 0) throw new AppError('conflict', 'This quiz has no questions yet.');
      requireAnswers(
        questions.map(({ id, options }) => ({ id, optionCount: options.length })),
        answers,
      );
      const correct = questions.filter(({ id, correctAnswer }) => answers[id] === correctAnswer).length;
      const score = quizScore(correct, questions.length);
      const passed = score >= QUIZ_PASS_PERCENT;
      const [attempt] = await tx
        .insert(quizAttempts)
        .values({ userId, lessonId, answers, score, passed })
        .returning();
      const [best] = await tx
        .insert(lessonProgress)
        .values({ userId, lessonId, courseId: lesson.courseId, score, attempts: 1 })
        .onConflictDoUpdate({
          target: [lessonProgress.userId, lessonProgress.lessonId],
          set: {
            score: sql`greatest(${lessonProgress.score}, ${score})`,
            attempts: sql`${lessonProgress.attempts} + 1`,
            updatedAt: sql`now()`,
          },
        })
        .returning({ score: lessonProgress.score });
      const completion = passed
        ? await recordCompletion(tx, { userId, courseId: lesson.courseId, lessonId, score })
        : null;
      return { ...resultOf(attempt!, questions), bestScore: best?.score ?? score, completion };
    }),
  );
}
