import type { Grader } from '../kind.ts';
import { isAccepted, plainText } from '../typed-text.ts';
import type { ShortText } from './definition.ts';

export const shortTextGrader: Grader<ShortText> = {
  shown: () => ({}),
  read: (_, answer) => (typeof answer === 'string' && answer.trim() !== '' ? answer.trim() : null),
  credit: (question, answer) => (isAccepted(question.accepted, String(answer), question) ? 1 : 0),
  solution: ({ accepted }) => accepted[0] ?? '',
  solutionText: ({ accepted }) => accepted.join(' or '),
  faults: ({ accepted, matchCase }) =>
    accepted.some((one) => plainText(one, matchCase) !== '') ? [] : ['has no accepted answer.'],
};
