import { type Grader, textsOf } from '../kind.ts';
import type { Matching } from './definition.ts';

const rightParts = ({ pairs }: Matching, answer: Parameters<typeof textsOf>[0]) =>
  pairs.map(({ match }, index) => textsOf(answer)[index] === match);

const choicesOf = ({ pairs, distractors }: Matching) => [
  ...new Set([...pairs.map(({ match }) => match), ...distractors]),
];

/** The share of prompts that have what belongs to them (decision 70). */
export const matchingGrader: Grader<Matching> = {
  shown: (question, arrange) => ({
    options: question.pairs.map(({ prompt }) => prompt),
    choices: arrange(choicesOf(question)),
  }),
  read: (question, answer) => {
    const given = textsOf(answer);
    const choices = choicesOf(question);
    return given.length === question.pairs.length && given.every((text) => choices.includes(text))
      ? given
      : null;
  },
  credit: (question, answer) => rightParts(question, answer).filter(Boolean).length / question.pairs.length,
  solution: ({ pairs }) => pairs.map(({ match }) => match),
  rightParts,
  faults: (question) => [
    ...(question.pairs.length < 2 ||
    question.pairs.some(({ prompt, match }) => !prompt.trim() || !match.trim())
      ? ['needs at least two pairs, none of them empty.']
      : []),
    ...(choicesOf(question).length < 2 ? ['has but one match to choose from.'] : []),
  ],
};
