import { gaps } from './gaps/definition.ts';
import type { Answer, Answers, Kind, KindName, ShownQuestion } from './kind.ts';
import { matching } from './matching/definition.ts';
import { number } from './number/definition.ts';
import { ordering } from './ordering/definition.ts';
import { severalAnswers } from './several-answers/definition.ts';
import { shortText } from './short-text/definition.ts';
import { singleChoice } from './single-choice/definition.ts';
import { trueFalse } from './true-false/definition.ts';

export const KINDS: Record<KindName, Kind> = {
  single_choice: singleChoice,
  several_answers: severalAnswers,
  true_false: trueFalse,
  short_text: shortText,
  number,
  ordering,
  matching,
  gaps,
};

/** As "Question 2 …" goes on; null where it can be marked. */
export function missingOf(question: ShownQuestion, answer: Answer | undefined): string | null {
  return KINDS[question.kind ?? 'single_choice'].missing(answer, question);
}

export function missingAnswers(
  questions: readonly ShownQuestion[],
  answers: Answers,
): Record<string, string> {
  return Object.fromEntries(
    questions.flatMap((question, index) => {
      const why = missingOf(question, answers[question.id]);
      return why ? [[`answers.${question.id}`, `Question ${index + 1} ${why}`]] : [];
    }),
  );
}
