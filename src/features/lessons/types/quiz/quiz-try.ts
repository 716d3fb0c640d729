import type { FieldErrors } from '#src/shared/errors.ts';
import type { Answer, Answers } from './kinds/kind.ts';

/** A try at a quiz: open to be answered, or marked and at its end. Messages stand by path, such as `answers.12`. */
export type QuizTry<Result> = { answers: Answers } & (
  | { phase: 'answering' | 'sending'; result: null; errors: FieldErrors }
  | { phase: 'marked'; result: Result; errors: Record<string, never> }
);

export type TryAction<Result> =
  | { do: 'begin'; answers: Answers }
  | { do: 'answer'; questionId: number; answer: Answer }
  | { do: 'send' }
  | { do: 'refuse'; errors: FieldErrors }
  | { do: 'fail' }
  | { do: 'mark'; result: Result };

/** The try that is seen first: the last one that was marked, or a new one. */
export function newTry<Result>(result: Result | null): QuizTry<Result> {
  const blank = { answers: {}, errors: {} };
  return result === null
    ? { ...blank, phase: 'answering', result: null }
    : { ...blank, phase: 'marked', result };
}

/** The try after what its learner or the server did. */
export function tryReducer<Result>(now: QuizTry<Result>, action: TryAction<Result>): QuizTry<Result> {
  switch (action.do) {
    case 'begin':
      return { ...newTry<Result>(null), answers: action.answers };
    case 'answer': {
      const answers = { ...now.answers, [action.questionId]: action.answer };
      if (now.phase === 'marked') return { ...now, answers };
      const { [`answers.${action.questionId}`]: _, ...errors } = now.errors;
      return { ...now, answers, errors };
    }
    case 'mark':
      return { ...newTry(action.result), answers: now.answers };
  }
  // A try that is marked is over: nothing is sent or refused any more.
  if (now.phase === 'marked') return now;
  switch (action.do) {
    case 'send':
      return { ...now, phase: 'sending' };
    case 'refuse':
      return { ...now, phase: 'answering', errors: action.errors };
    case 'fail':
      return { ...now, phase: 'answering' };
  }
}
