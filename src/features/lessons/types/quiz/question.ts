import { z } from 'zod';
import { gapsInput } from './kinds/gaps/definition.ts';
import { KIND_NAMES, type KindName, tidy } from './kinds/kind.ts';
import { matchingInput } from './kinds/matching/definition.ts';
import { numberInput } from './kinds/number/definition.ts';
import { orderingInput } from './kinds/ordering/definition.ts';
import { severalAnswersInput } from './kinds/several-answers/definition.ts';
import { shortTextInput } from './kinds/short-text/definition.ts';
import { singleChoiceInput } from './kinds/single-choice/definition.ts';
import { trueFalseInput } from './kinds/true-false/definition.ts';

export const NAMED_KINDS = [
  severalAnswersInput,
  trueFalseInput,
  shortTextInput,
  numberInput,
  orderingInput,
  matchingInput,
  gapsInput,
] as const;

export const questionInput = z
  .discriminatedUnion('kind', [singleChoiceInput, ...NAMED_KINDS], {
    error: 'There is no such kind of question',
  })
  .transform(tidy);
export type Question = z.output<typeof questionInput>;
export type QuestionFields = Question & { id: number | null };
export type QuestionOf<K extends KindName> = Extract<
  Question,
  K extends 'single_choice' ? { correctAnswer: number } : { kind: K }
>;

export function kindOf({ kind }: { kind?: KindName | undefined }): KindName {
  return kind ?? 'single_choice';
}

export interface QuestionRow {
  kind: string;
  question: string;
  options: string[];
  correctAnswer: number | null;
  explanation: string;
  details: Record<string, unknown>;
}

/** A single choice is in the columns that the specification names. */
export function rowOfQuestion(written: Question): QuestionRow {
  const { id: _, question, explanation, ...rest } = written;
  if (!('kind' in rest) || rest.kind === undefined) {
    const { options, correctAnswer, ...details } = rest as QuestionOf<'single_choice'>;
    return { kind: 'single_choice', question, explanation, options, correctAnswer, details };
  }
  const { kind, ...details } = rest;
  return { kind, question, explanation, options: [], correctAnswer: null, details };
}

export function questionOfRow<Row extends QuestionRow>({
  kind,
  question,
  options,
  correctAnswer,
  explanation,
  details,
}: Row): Question {
  const shared = { question, explanation, ...details };
  const isNamed = kind !== 'single_choice' && (KIND_NAMES as readonly string[]).includes(kind);
  return (isNamed ? { ...shared, kind } : { ...shared, options, correctAnswer }) as Question;
}

export function markdownOf(question: Question): string[] {
  const options = question.format && 'options' in question ? question.options : [];
  return [question.question, ...options, question.explanation];
}

export const QUESTIONS_MAX = 1000;
