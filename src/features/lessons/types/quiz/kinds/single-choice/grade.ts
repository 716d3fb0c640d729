import type { Grader } from '../kind.ts';
import type { SingleChoice } from './definition.ts';

export const singleChoiceGrader: Grader<SingleChoice> = {
  shown: ({ options }) => ({ options }),
  read: ({ options }, answer) => {
    const chosen = typeof answer === 'string' ? options.indexOf(answer) : answer;
    return typeof chosen === 'number' && options[chosen] !== undefined ? chosen : null;
  },
  credit: ({ correctAnswer }, answer) => (answer === correctAnswer ? 1 : 0),
  solution: ({ correctAnswer }) => correctAnswer,
  feedback: ({ feedback = [] }, answer) => [feedback[answer as number] ?? ''],
  faults: ({ options, correctAnswer }) => {
    const shown = options.map((option) => option.trim());
    return [
      ...(shown.length < 2 || shown.includes('') ? ['needs at least two options, none of them empty.'] : []),
      ...(shown[correctAnswer] ? [] : ['has no right answer.']),
      ...(new Set(shown).size === shown.length ? [] : ['offers the same option twice.']),
    ];
  },
};
