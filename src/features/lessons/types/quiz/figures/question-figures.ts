/** What is counted of the answers to one question: of each handed in attempt its share of the points and the rest's score. */
export interface AnswerSums {
  answered: number;
  /** Without a fault. */
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

/** Answers below which nothing is said of a question but how many there are. */
export const TELLING_ANSWERS = 10;

/**
 * How well a question tells good learners from weak ones, from -100 to 100: the discrimination index of Moodle's quiz
 * statistics ("Quiz statistics calculations", Moodle developer documentation), the correlation between the mark of the
 * question and the mark of all other questions of the same attempt. For a question that is right or wrong it is the
 * corrected point-biserial correlation. Unlike Moodle, which counts first attempts unless told otherwise, it is of all
 * attempts, as everything that is counted of questions here.
 *
 * @returns null below 10 answers, and where all have the same mark
 */
export function discrimination(sums: AnswerSums): number | null {
  const { answered: n, credit, creditSquared, rest, restSquared, both } = sums;
  if (n < TELLING_ANSWERS) return null;
  const spread = (n * creditSquared - credit ** 2) * (n * restSquared - rest ** 2);
  // What is left of equal numbers after rounding is no spread.
  if (!(spread > 1e-6 * n ** 4)) return null;
  return Math.round(Math.max(-1, Math.min(1, (n * both - credit * rest) / Math.sqrt(spread))) * 100);
}

/** What its author should look at, in plain words; null where nothing is remarkable, or too few have answered. */
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
