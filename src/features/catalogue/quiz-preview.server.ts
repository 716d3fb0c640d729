import type { z } from 'zod';
import { sqlClient } from '#db/client.ts';
import { AppError } from '#src/shared/errors.ts';
import { requireAnswers } from './quiz-answers.ts';
import type { tryQuizCall } from './schema.ts';

/**
 * Marks a try of a quiz that anyone may preview, and keeps nothing. The answers leave the server here alone, and only to
 * somebody who has answered every question (decision 36, fault I2).
 *
 * @param answers the chosen option, counted from 0, by question id
 * @throws {AppError} not_found where there is no such preview; invalid_input naming the questions without a valid answer;
 *   conflict where the quiz has other questions by now
 */
export async function tryQuiz(
  lessonId: number,
  answers: Record<string, number>,
): Promise<z.input<typeof tryQuizCall.output>> {
  const questions = await sqlClient()<
    { id: number; optionCount: number; correctAnswer: number; explanation: string }[]
  >`
    select q.id, jsonb_array_length(q.options) as "optionCount", q.correct_answer as "correctAnswer", q.explanation
    from lessons l join courses c on c.id = l.course_id join quiz_questions q on q.lesson_id = l.id
    where l.id = ${lessonId}::int and l.is_preview and c.listed
    order by q."order", q.id`;
  if (questions.length === 0) throw new AppError('not_found', 'Lesson not found');
  requireAnswers(questions, answers);
  return {
    right: questions.filter(({ id, correctAnswer }) => answers[id] === correctAnswer).length,
    answers: questions.map(({ id, correctAnswer, explanation }) => ({
      questionId: id,
      correctAnswer,
      explanation,
    })),
  };
}
