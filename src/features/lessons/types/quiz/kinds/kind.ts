import { z } from 'zod';
import { filled, id, isLine, line, rawText, text } from '#src/shared/fields.ts';

// What every kind of question has in common: how its answers and what is shown of it travel, and what is asked of a kind.

/** Characters of a question's texts, and parts of one, at most. */
export const QUESTION_MAX = {
  question: 4000,
  option: 500,
  /** Of a choice, which may be a piece of code. */
  choice: 1000,
  explanation: 4000,
  feedback: 500,
  accepted: 200,
  gapText: 5000,
  answer: 2000,
  tag: 40,
  tags: 10,
  points: 100,
  options: 8,
  items: 12,
  acceptedAnswers: 20,
  gaps: 20,
} as const;
export const OPTIONS_MIN = 2;

export const KIND_NAMES = [
  'single_choice',
  'several_answers',
  'true_false',
  'short_text',
  'number',
  'ordering',
  'matching',
  'gaps',
] as const;
export type KindName = (typeof KIND_NAMES)[number];

const answerText = rawText('Answer', { max: QUESTION_MAX.answer });

/** A learner's answer. Of a single choice it is the number of the option, counted from 0 (decision 36). */
export const answerInput = z.union(
  [
    z.int().min(0, 'There is no such option'),
    z.boolean(),
    answerText,
    z.array(answerText).max(QUESTION_MAX.gaps),
  ],
  { error: 'There is no such option' },
);
export type Answer = z.output<typeof answerInput>;

/** The answers to a quiz, by question id. */
export const answersInput = z.record(
  z.string().regex(/^[1-9]\d{0,9}$/, 'A question id must be a whole number'),
  answerInput,
  { error: 'Answers must be given by question' },
);
export type Answers = z.output<typeof answersInput>;

/** A question as learners see it before they have answered: nothing in it tells what is right (fault I2). */
export const shownQuestion = z.object({
  id: z.number(),
  question: z.string(),
  /** The text of a formatted question as HTML; left out where it is plain, as is the next. */
  questionHtml: z.string().optional(),
  /** The options of a formatted choice as HTML that may stand in a label, in their order. */
  optionsHtml: z.array(z.string()).optional(),
  /** What is chosen, put into order or matched; in an order that says nothing. */
  options: z.array(z.string()),
  /** Left out for a single choice. */
  kind: z.enum(KIND_NAMES).optional(),
  /** Left out where it is 1. */
  points: z.number().optional(),
  /** Options in an order of this attempt: a single choice is then answered by the option's text. */
  shuffled: z.literal(true).optional(),
  /** What can be matched with an option. */
  choices: z.array(z.string()).optional(),
  /** The text around the gaps: one part more than there are gaps. */
  parts: z.array(z.string()).optional(),
  unit: z.string().optional(),
});
export type ShownQuestion = z.output<typeof shownQuestion>;

/** What was made of an answer. Only ever sent for a question that was answered (decision 36). */
export const markedAnswer = z.object({
  questionId: z.number(),
  /** Of a single choice; null for other kinds, and for a question that is newer than the attempt. */
  chosen: z.number().nullable(),
  /** Of a single choice. */
  correctAnswer: z.number().nullable(),
  explanation: z.string(),
  /** Left out where the question is plain. */
  explanationHtml: z.string().optional(),
  /** The answer and the right one as they travel, of all but a plain single choice. */
  given: answerInput.nullable().optional(),
  solution: answerInput.optional(),
  /** The right answer in words, where its form alone does not say it. */
  solutionText: z.string().optional(),
  /** Which parts of the answer are right. */
  rightParts: z.array(z.boolean()).optional(),
  /** Share of its points that the answer gets, from 0 to 1. */
  credit: z.number().optional(),
  points: z.number().optional(),
  /** What its author says to what was chosen. */
  feedback: z.array(z.string()).optional(),
});
export type MarkedAnswer = z.output<typeof markedAnswer>;

/** Whether all are different; what is empty is refused by itself. */
const unique = (values: readonly string[]) => {
  const said = values.filter((value) => value !== '');
  return new Set(said).size === said.length;
};

/** A list of lines, each different. */
export function lines(
  label: string,
  {
    min = 0,
    max,
    length,
    many,
    of = line,
  }: { min?: number; max: number; length: number; many: string; of?: typeof text },
) {
  return z
    .array(filled(of(label, { max: length })), { error: `${many} must be a list` })
    .min(min, `A question needs at least ${min} ${many.toLowerCase()}`)
    .max(max, `A question has at most ${max} ${many.toLowerCase()}`)
    .refine(unique, `Two ${many.toLowerCase()} are the same`);
}

const tag = line('Tag', { max: QUESTION_MAX.tag }).transform((value) => value.toLowerCase());

/** What every question has, whatever its kind. */
export const sharedFields = {
  /** Of a question that exists; null or left out for a new one. */
  id: id('Question').nullish(),
  question: filled(text('Question', { max: QUESTION_MAX.question })),
  /** Left out where the question is plain text, in which backticks alone mean something (decision 132). */
  format: z
    .literal('markdown', { error: 'The format of a question is markdown, or left out' })
    .nullish()
    .transform((format) => format ?? undefined),
  explanation: text('Explanation', { min: 0, max: QUESTION_MAX.explanation }).default(''),
  /** Left out where it is 1. */
  points: z
    .int({ error: 'Points must be a whole number' })
    .min(1, 'Points must be at least 1')
    .max(QUESTION_MAX.points, `Points must be at most ${QUESTION_MAX.points}`)
    .optional()
    .transform((points) => (points === 1 ? undefined : points)),
  /** By which a quiz draws from its questions. */
  tags: z
    .array(tag, { error: 'Tags must be a list' })
    .max(QUESTION_MAX.tags, `A question has at most ${QUESTION_MAX.tags} tags`)
    .optional()
    .transform((tags) => (tags && tags.length > 0 ? [...new Set(tags)] : undefined)),
};

/** What is said to whoever chooses an option, one for each option; '' for nothing. */
export const feedback = z
  .array(line('Feedback', { min: 0, max: QUESTION_MAX.feedback }), { error: 'Feedback must be a list' })
  .max(QUESTION_MAX.options, 'There is more feedback than options')
  .optional()
  .transform((texts) => (texts?.some((one) => one !== '') ? texts : undefined));

/** Options to choose from, each different; see `linesWherePlain`. */
export const options = lines('Option', {
  min: OPTIONS_MIN,
  max: QUESTION_MAX.options,
  length: QUESTION_MAX.choice,
  many: 'Options',
  of: text,
});

/** Only the options of a formatted question may have several lines. */
export function linesWherePlain(
  { format, options }: { format?: 'markdown' | undefined; options: readonly string[] },
  context: z.RefinementCtx,
): void {
  if (format) return;
  for (const [at, option] of options.entries()) {
    if (isLine(option)) continue;
    context.addIssue({ code: 'custom', path: ['options', at], message: 'Option must be a single line' });
  }
}

/** What is said of a question that nobody has answered. */
export const NO_ANSWER = 'has no answer';

/** A kind of question as learners and authors meet it. Pure, for both sides. */
export interface Kind {
  name: KindName;
  label: string;
  /** What is wrong with an answer before it is sent, as "Question 2 …" goes on; null where it can be marked. */
  missing: (answer: Answer | undefined, question: ShownQuestion) => string | null;
}

/** Puts texts into the order of an attempt, which does not depend on the order in which they are given. */
export type Arrange = (texts: readonly string[]) => string[];

/** How a kind is marked; for the server alone, though pure. */
export interface Grader<Q> {
  /** What of the question learners see beside its text. */
  shown: (question: Q, arrange: Arrange) => Omit<Partial<ShownQuestion>, 'id' | 'question'>;
  /** The answer as it is kept; null where the question cannot be answered so. */
  read: (question: Q, answer: Answer) => Answer | null;
  /** Share of the points, from 0 to 1, that a read answer gets. */
  credit: (question: Q, answer: Answer) => number;
  /** The right answer as a learner would give it. */
  solution: (question: Q) => Answer;
  solutionText?: (question: Q) => string;
  rightParts?: (question: Q, answer: Answer) => boolean[];
  /** What is said to the answer; `plain` makes an option plain words. */
  feedback?: (question: Q, answer: Answer, plain: (option: string) => string) => string[];
  /** Why nobody could answer it, as "Question 2 …" goes on. */
  faults: (question: Q) => string[];
}

/** The same without the fields that say nothing: two that are the same then also compare as the same. */
export type Tidy<T> = T extends unknown
  ? { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
      [K in keyof T as undefined extends T[K] ? K : never]?: T[K];
    }
  : never;

export function tidy<T extends object>(given: T): Tidy<T> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Tidy<T>;
}

/** The texts of an answer that is a list; none for any other. */
export const textsOf = (answer: Answer | undefined): string[] => (Array.isArray(answer) ? answer : []);

/** Whether two lists hold the same texts, in whatever order. */
export function sameTexts(one: readonly string[], other: readonly string[]): boolean {
  const sorted = other.toSorted();
  return one.length === other.length && one.toSorted().every((text, index) => text === sorted[index]);
}

/** What the part of a question gets in which it is answered; once it is marked, it shows what was right. */
export interface AnswerProps {
  question: ShownQuestion;
  /** Different on each page; names the fields. */
  name: string;
  value: Answer | undefined;
  marked: MarkedAnswer | null;
  onChange: (answer: Answer) => void;
}
