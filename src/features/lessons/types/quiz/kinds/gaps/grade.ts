import { type Grader, textsOf } from '../kind.ts';
import { isAccepted } from '../typed-text.ts';
import { type Gaps, gapsOf } from './definition.ts';

const rightParts = (question: Gaps, answer: Parameters<typeof textsOf>[0]) =>
  gapsOf(question.text).gaps.map((accepted, index) =>
    isAccepted(accepted, textsOf(answer)[index] ?? '', question),
  );

/** The share of gaps that are filled right (decision 70). */
export const gapsGrader: Grader<Gaps> = {
  shown: ({ text }) => ({ parts: gapsOf(text).parts }),
  read: ({ text }, answer) => {
    const given = textsOf(answer).map((one) => one.trim());
    return given.length === gapsOf(text).gaps.length && !given.includes('') ? given : null;
  },
  credit: (question, answer) => {
    const right = rightParts(question, answer);
    return right.filter(Boolean).length / right.length;
  },
  solution: ({ text }) => gapsOf(text).gaps.map((accepted) => accepted[0] ?? ''),
  solutionText: ({ text }) =>
    gapsOf(text)
      .gaps.map((accepted) => accepted.join(' or '))
      .join(', '),
  rightParts,
  faults: ({ text }) => {
    const { gaps } = gapsOf(text);
    return gaps.length === 0 || gaps.some((accepted) => accepted.includes(''))
      ? ['needs at least one gap, and an answer for each.']
      : [];
  },
};
