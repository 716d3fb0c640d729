import { describe, expect, it } from 'vitest';
import { type AnswerSums, discrimination, NO_ANSWERS, remarkOf } from './question-figures.ts';

/** The sums of attempts, each with the mark of the question and that of the rest. */
const sumsOf = (attempts: readonly (readonly [number, number])[]) =>
  attempts.reduce<AnswerSums>(
    (sums, [credit, rest]) => ({
      answered: sums.answered + 1,
      right: sums.right + (credit === 1 ? 1 : 0),
      credit: sums.credit + credit,
      creditSquared: sums.creditSquared + credit ** 2,
      rest: sums.rest + rest,
      restSquared: sums.restSquared + rest ** 2,
      both: sums.both + credit * rest,
    }),
    NO_ANSWERS,
  );
const many = (count: number, credit: number, rest: number) =>
  Array.from({ length: count }, () => [credit, rest] as const);

describe('what is said of a question', () => {
  it.each<[string, AnswerSums, number | null, RegExp | null]>([
    ['that good learners know', sumsOf([...many(5, 1, 90), ...many(5, 0, 10)]), 100, null],
    ['that misleads', sumsOf([...many(5, 0, 90), ...many(5, 1, 10)]), -100, /^Misleads/],
    ['that says nothing', sumsOf([...many(5, 1, 50), ...many(5, 0, 50)]), null, null],
    [
      'that all answer alike',
      sumsOf([...many(5, 1, 90), ...many(5, 0, 90), ...many(5, 1, 10), ...many(5, 0, 10)]),
      0,
      /^Says little/,
    ],
    ['that is too easy', sumsOf([...many(20, 1, 50)]), null, /^Too easy/],
    ['that is too hard', sumsOf([...many(20, 0, 50)]), null, /^Too hard/],
    ['of 9 answers', sumsOf([...many(4, 0, 90), ...many(5, 1, 10)]), null, null],
    ['of none', NO_ANSWERS, null, null],
  ])('%s', (_, sums, index, remark) => {
    expect(discrimination(sums)).toBe(index);
    if (remark) expect(remarkOf(sums)).toMatch(remark);
    else expect(remarkOf(sums)).toBeNull();
  });
});
