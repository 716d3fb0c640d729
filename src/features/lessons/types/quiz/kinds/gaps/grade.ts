import { type Grader, textsOf } from '../kind.ts';
import { isAccepted } from '../typed-text.ts';
import { isNumber } from '../number/definition.ts';
import { isNear } from '../number/grade.ts';
import { type Gaps, gapsOf, numberInGap, shownInGap } from './definition.ts';

const rightParts = (question: Gaps, answer: Parameters<typeof textsOf>[0]) =>
  gapsOf(question.text).gaps.map((accepted, index) => {
    const given = textsOf(answer)[index] ?? '';
    // A single comma may be a decimal mark or one of thousands.
    const readings = [given, given.replace(',', '.')].filter((one) => isNumber(one));
    return (
      isAccepted(accepted, given, question) ||
      accepted.some((one) => {
        const number = numberInGap(one);
        return number && readings.some((reading) => isNear(reading, number));
      })
    );
  });

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
  solution: ({ text }) => gapsOf(text).gaps.map((accepted) => shownInGap(accepted[0] ?? '')),
  solutionText: ({ text }) =>
    gapsOf(text)
      .gaps.map((accepted) => accepted.map(shownInGap).join(' or '))
      .join(', '),
  rightParts,
  faults: ({ text }) => {
    const { gaps } = gapsOf(text);
    return gaps.length === 0 || gaps.some((accepted) => accepted.includes(''))
      ? ['needs at least one gap, and an answer for each.']
      : [];
  },
};
