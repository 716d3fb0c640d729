import { AppError } from '#src/shared/errors.ts';

/**
 * Refuses answers that a quiz cannot be marked by (fault I2).
 *
 * @param questions in their order, each with the number of its options
 * @param answers the chosen option, counted from 0, by question id
 * @throws {AppError} invalid_input naming the questions without a valid answer; conflict where the quiz has other questions
 *   by now
 */
export function requireAnswers(
  questions: readonly { id: number; optionCount: number }[],
  answers: Record<string, number>,
): void {
  const known = new Set(questions.map(({ id }) => String(id)));
  if (Object.keys(answers).some((id) => !known.has(id))) {
    throw new AppError(
      'conflict',
      'This quiz was changed after you opened it. Reload the page to see its questions.',
    );
  }
  const fields: Record<string, string> = {};
  for (const [index, { id, optionCount }] of questions.entries()) {
    const chosen = answers[id];
    if (chosen === undefined) fields[`answers.${id}`] = `Question ${index + 1} has no answer`;
    else if (chosen >= optionCount) fields[`answers.${id}`] = `Question ${index + 1} has no such option`;
  }
  const [first] = Object.values(fields);
  if (first) throw new AppError('invalid_input', first, { fields });
}
