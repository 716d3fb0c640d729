import type { Grader } from '../kind.ts';
import { type NumberQuestion, typedNumber } from './definition.ts';

const withUnit = (text: string, unit: string) => (unit ? `${text} ${unit}` : text);

export const numberGrader: Grader<NumberQuestion> = {
  shown: ({ unit }) => (unit ? { unit } : {}),
  read: ({ unit }, answer) =>
    typeof answer === 'string' && typedNumber(answer, unit) !== null ? answer.trim() : null,
  credit: ({ value, tolerance, unit }, answer) => {
    const given = typedNumber(String(answer), unit) ?? Number.NaN;
    // The edge counts, although 0.3 + 0.1 is not 0.4 for a computer.
    const rounding = 4 * Number.EPSILON * Math.max(Math.abs(value), Math.abs(given), tolerance);
    return Math.abs(given - value) <= tolerance + rounding ? 1 : 0;
  },
  solution: ({ value }) => String(value),
  solutionText: ({ value, tolerance, unit }) =>
    withUnit(tolerance > 0 ? `${value} ± ${tolerance}` : String(value), unit),
  faults: ({ value, tolerance }) =>
    Number.isFinite(value) && tolerance >= 0 ? [] : ['has no number that is right.'],
};
