import { and, eq } from 'drizzle-orm';
import type { z } from 'zod';
import { db } from '#db/client.ts';
import { courses, lessons } from '#db/schema/catalogue.ts';
import { questionsOf } from '#src/features/lessons/lesson-store.server.ts';
import type { Answers } from '#src/features/lessons/types/quiz/kinds/kind.ts';
import {
  askedQuestions,
  markedAnswer,
  previewSeed,
  readAnswers,
  scoreOf,
} from '#src/features/lessons/types/quiz/marking.server.ts';
import { AppError } from '#src/shared/errors.ts';
import type { tryQuizCall } from './schema.ts';

/**
 * Marks a try of a quiz that anyone may preview, and keeps nothing. The answers leave the server here alone, and only to
 * somebody who has answered every question (decision 36, fault I2).
 *
 * @throws {AppError} not_found where there is no such preview; invalid_input naming the questions without a valid answer;
 *   conflict where the quiz has other questions by now
 */
export async function tryQuiz(
  lessonId: number,
  answers: Answers,
): Promise<z.input<typeof tryQuizCall.output>> {
  const [lesson] = await db()
    .select({ settings: lessons.quizSettings })
    .from(lessons)
    .innerJoin(courses, eq(courses.id, lessons.courseId))
    .where(and(eq(lessons.id, lessonId), eq(lessons.isPreview, true), eq(courses.isActive, true)));
  const questions = lesson ? await questionsOf(lessonId, db()) : [];
  if (!lesson || questions.length === 0) throw new AppError('not_found', 'Lesson not found');
  const asked = askedQuestions(questions, lesson.settings, previewSeed(lessonId));
  const read = readAnswers(asked, answers);
  return {
    right: scoreOf(asked, read).right,
    answers: asked.map((one) => {
      const { chosen: _, ...marked } = markedAnswer(one, read[one.kept.id] ?? null);
      return marked;
    }),
  };
}
