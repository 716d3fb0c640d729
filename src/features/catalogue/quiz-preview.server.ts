import type { z } from 'zod';
import { db } from '#db/client.ts';
import { findQuiz } from '#src/features/lessons/types/quiz/question-bank.server.ts';
import type { Answers } from '#src/features/lessons/types/quiz/kinds/kind.ts';
import {
  askedQuestions,
  markedAnswer,
  previewSeed,
  readAnswers,
  scoreOf,
} from '#src/features/lessons/types/quiz/marking.server.ts';
import { AppError } from '#src/shared/errors.ts';
import { requireReadable } from './access.server.ts';
import { LESSON_NOT_FOUND } from './catalogue.ts';
import type { tryQuizCall } from './schema.ts';

/**
 * Stores nothing. Gives the answers only after every question is answered (decision 36, fault I2).
 * @throws {AppError} not_found, invalid_input, conflict for other questions
 */
export async function tryQuiz(
  lessonId: number,
  answers: Answers,
): Promise<z.input<typeof tryQuizCall.output>> {
  // Always as a visitor: a learner's answers count elsewhere.
  await requireReadable(db(), lessonId, null);
  const quiz = await findQuiz(lessonId, db());
  if (!quiz || quiz.questions.length === 0) throw new AppError('not_found', LESSON_NOT_FOUND);
  const asked = askedQuestions(quiz.questions, quiz.settings, previewSeed(lessonId));
  const read = readAnswers(asked, answers);
  return {
    right: scoreOf(asked, read).right,
    answers: asked.map((one) => {
      const { chosen: _, ...marked } = markedAnswer(one, read[one.kept.id] ?? null);
      return marked;
    }),
  };
}
