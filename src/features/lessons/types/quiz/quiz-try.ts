import type { FieldErrors } from '#src/shared/errors.ts';
import type { Answer, Answers } from './kinds/kind.ts';

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

export function newTry<Result>(result: Result | null): QuizTry<Result> {
  const blank = { answers: {}, errors: {} };
  return result === null
    ? { ...blank, phase: 'answering', result: null }
    : { ...blank, phase: 'marked', result };
}

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
