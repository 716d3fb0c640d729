/** What is counted of the answers to one question: of each handed in attempt its share of the points and the rest's score. */
export interface AnswerSums {
  answered: number;
  right: number;
  credit: number;
  creditSquared: number;
  rest: number;
  restSquared: number;
  both: number;
}

export const NO_ANSWERS: AnswerSums = {
  answered: 0,
  right: 0,
  credit: 0,
  creditSquared: 0,
  rest: 0,
  restSquared: 0,
  both: 0,
};

const TELLING_ANSWERS = 10;

/**
 * Moodle's discrimination index, -100 to 100: the correlation of a question's mark with that of the attempt's
 * other questions.
 */
export function discrimination(sums: AnswerSums): number | null {
  const { answered: n, credit, creditSquared, rest, restSquared, both } = sums;
  if (n < TELLING_ANSWERS) return null;
  const spread = (n * creditSquared - credit ** 2) * (n * restSquared - rest ** 2);
  // What is left of equal numbers after rounding is no spread.
  if (!(spread > 1e-6 * n ** 4)) return null;
  return Math.round(Math.max(-1, Math.min(1, (n * both - credit * rest) / Math.sqrt(spread))) * 100);
}

/** Null where nothing is remarkable, or too few have answered. */
export function remarkOf(sums: AnswerSums): string | null {
  if (sums.answered < TELLING_ANSWERS) return null;
  const index = discrimination(sums);
  const share = sums.right / sums.answered;
  if (index !== null && index < 0)
    return 'Misleads good learners: those who know the rest get it wrong more often';
  if (share >= 0.95) return 'Too easy: nearly everybody has it right';
  if (share <= 0.1) return 'Too hard: nearly nobody has it right';
  if (index !== null && index < 20) return 'Says little: good and weak learners answer it alike';
  return null;
}
