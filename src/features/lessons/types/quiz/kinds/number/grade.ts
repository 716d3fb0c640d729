import type { Grader } from '../kind.ts';
import { isNumber, type NumberQuestion, typedNumber } from './definition.ts';

const withUnit = (text: string, unit: string) => (unit ? `${text} ${unit}` : text);

/** Within the tolerance. */
export function isNear(answer: string, { value, tolerance }: Pick<NumberQuestion, 'value' | 'tolerance'>) {
  const { value: given } = typedNumber(answer);
  // The edge counts, although 0.3 + 0.1 is not 0.4 for a computer.
  const rounding = 4 * Number.EPSILON * Math.max(Math.abs(value), Math.abs(given), tolerance);
  return Math.abs(given - value) <= tolerance + rounding;
}

export const numberGrader: Grader<NumberQuestion> = {
  shown: ({ unit }) => (unit ? { unit } : {}),
  read: ({ unit }, answer) => (isNumber(answer, unit) ? answer.trim() : null),
  credit: (question, answer) => (isNear(String(answer), question) ? 1 : 0),
  solution: ({ value }) => String(value),
  solutionText: ({ value, tolerance, unit }) =>
    withUnit(tolerance > 0 ? `${value} ± ${tolerance}` : String(value), unit),
  faults: ({ value, tolerance }) =>
    Number.isFinite(value) && tolerance >= 0 ? [] : ['has no number that is right.'],
};
