import { type Grader, textsOf } from '../kind.ts';
import type { SeveralAnswers } from './definition.ts';

const rightOf = ({ options, correctAnswers }: SeveralAnswers) =>
  correctAnswers.flatMap((number) => options[number] ?? []);

/** Never below nothing (decision 70). */
export const severalAnswersGrader: Grader<SeveralAnswers> = {
  shown: ({ options }, arrange) => ({ options: arrange(options) }),
  read: ({ options }, answer) => {
    if (!Array.isArray(answer) || answer.length === 0 || new Set(answer).size !== answer.length) return null;
    // Kept in the author's order, whatever the order of the clicks.
    const chosen = options.filter((option) => answer.includes(option));
    return chosen.length === answer.length ? chosen : null;
  },
  credit: (question, answer) => {
    const right = rightOf(question);
    const chosen = textsOf(answer);
    const hits = chosen.filter((text) => right.includes(text)).length;
    return Math.max(0, hits - (chosen.length - hits)) / right.length;
  },
  solution: rightOf,
  feedback: ({ options, feedback = [] }, answer, plain) =>
    options.flatMap((option, index) =>
      feedback[index] && textsOf(answer).includes(option) ? [`${plain(option)}: ${feedback[index]}`] : [],
    ),
  faults: ({ options, correctAnswers }) => {
    const shown = options.map((option) => option.trim());
    return [
      ...(shown.length < 2 || shown.includes('') ? ['needs at least two options, none of them empty.'] : []),
      ...(correctAnswers.some((number) => shown[number]) ? [] : ['has no right answer.']),
      ...(new Set(shown).size === shown.length ? [] : ['offers the same option twice.']),
    ];
  },
};
