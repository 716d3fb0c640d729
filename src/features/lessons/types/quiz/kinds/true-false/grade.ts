import type { Grader } from '../kind.ts';
import { TRUE_FALSE, type TrueFalse } from './definition.ts';

export const trueFalseGrader: Grader<TrueFalse> = {
  shown: () => ({ options: TRUE_FALSE }),
  read: (_, answer) => (typeof answer === 'boolean' ? answer : null),
  credit: ({ isTrue }, answer) => (answer === isTrue ? 1 : 0),
  solution: ({ isTrue }) => isTrue,
  feedback: ({ feedback = [] }, answer) => [feedback[answer === true ? 0 : 1] ?? ''],
  faults: () => [],
};
