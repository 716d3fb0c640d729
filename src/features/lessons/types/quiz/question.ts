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

/** The kinds of questions that must say which kind they are. */
export const NAMED_KINDS = [
  severalAnswersInput,
  trueFalseInput,
  shortTextInput,
  numberInput,
  orderingInput,
  matchingInput,
  gapsInput,
] as const;

/** A question as its author writes it; without a `kind` it is a single choice. */
export const questionInput = z
  .discriminatedUnion('kind', [singleChoiceInput, ...NAMED_KINDS], {
    error: 'There is no such kind of question',
  })
  .transform(tidy);
export type Question = z.output<typeof questionInput>;
/** A quiz question as its author sees it; its id is null until it is saved. */
export type QuestionFields = Question & { id: number | null };
export type QuestionOf<K extends KindName> = Extract<
  Question,
  K extends 'single_choice' ? { correctAnswer: number } : { kind: K }
>;

/** Which kind a question is. */
export function kindOf({ kind }: { kind?: KindName | undefined }): KindName {
  return kind ?? 'single_choice';
}

/** A question as the database has it. */
export interface QuestionRow {
  kind: string;
  question: string;
  options: string[];
  /** Null for all but a single choice. */
  correctAnswer: number | null;
  explanation: string;
  /** What else the question has. */
  details: Record<string, unknown>;
}

/** A question as it is kept: a single choice in the columns that the specification names. */
export function rowOfQuestion(written: Question): QuestionRow {
  const { id: _, question, explanation, ...rest } = written;
  if (!('kind' in rest) || rest.kind === undefined) {
    const { options, correctAnswer, ...details } = rest as QuestionOf<'single_choice'>;
    return { kind: 'single_choice', question, explanation, options, correctAnswer, details };
  }
  const { kind, ...details } = rest;
  return { kind, question, explanation, options: [], correctAnswer: null, details };
}

/** A question out of its row. */
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

/** The texts of a question in which learners may be shown links and pictures. */
export function markdownOf(question: Question): string[] {
  const options = question.format && 'options' in question ? question.options : [];
  return [question.question, ...options, question.explanation];
}

/** Questions of a quiz at most: a bank that others draw from may have many. */
export const QUESTIONS_MAX = 1000;
