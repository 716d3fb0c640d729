import { z } from 'zod';
import { filled, id, isLine, line, rawText, text } from '#src/shared/fields.ts';

/** Characters of a question's texts, and parts of one, at most. */
export const QUESTION_MAX = {
  question: 4000,
  option: 500,
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

/** Of a single choice it is the number of the option, counted from 0 (decision 36). */
const answerInput = z.union(
  [
    z.int().min(0, 'There is no such option'),
    z.boolean(),
    answerText,
    z.array(answerText).max(QUESTION_MAX.gaps),
  ],
  { error: 'There is no such option' },
);
export type Answer = z.output<typeof answerInput>;

export const answersInput = z.record(
  z.string().regex(/^[1-9]\d{0,9}$/, 'A question id must be a whole number'),
  answerInput,
  { error: 'Answers must be given by question' },
);
export type Answers = z.output<typeof answersInput>;

/** Nothing in it tells what is right (fault I2). */
export const shownQuestion = z.object({
  id: z.number(),
  question: z.string(),
  questionHtml: z.string().optional(),
  optionsHtml: z.array(z.string()).optional(),
  options: z.array(z.string()),
  kind: z.enum(KIND_NAMES).optional(),
  points: z.number().optional(),
  shuffled: z.literal(true).optional(),
  choices: z.array(z.string()).optional(),
  parts: z.array(z.string()).optional(),
  unit: z.string().optional(),
});
export type ShownQuestion = z.output<typeof shownQuestion>;

/** Only ever sent for a question that was answered (decision 36). */
export const markedAnswer = z.object({
  questionId: z.number(),
  chosen: z.number().nullable(),
  correctAnswer: z.number().nullable(),
  explanation: z.string(),
  explanationHtml: z.string().optional(),
  given: answerInput.nullable().optional(),
  solution: answerInput.optional(),
  solutionText: z.string().optional(),
  rightParts: z.array(z.boolean()).optional(),
  credit: z.number().optional(),
  markedAgain: z.literal(true).optional(),
  points: z.number().optional(),
  feedback: z.array(z.string()).optional(),
});
export type MarkedAnswer = z.output<typeof markedAnswer>;

const unique = (values: readonly string[]) => {
  const said = values.filter((value) => value !== '');
  return new Set(said).size === said.length;
};

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

export const sharedFields = {
  /** Null or left out for a new one. */
  id: id('Question').nullish(),
  question: filled(text('Question', { max: QUESTION_MAX.question })),
  /** Left out for plain text, in which backticks alone mean something (decision 132). */
  format: z
    .literal('markdown', { error: 'The format of a question is markdown, or left out' })
    .nullish()
    .transform((format) => format ?? undefined),
  explanation: text('Explanation', { min: 0, max: QUESTION_MAX.explanation }).default(''),
  points: z
    .int({ error: 'Points must be a whole number' })
    .min(1, 'Points must be at least 1')
    .max(QUESTION_MAX.points, `Points must be at most ${QUESTION_MAX.points}`)
    .optional()
    .transform((points) => (points === 1 ? undefined : points)),
  tags: z
    .array(tag, { error: 'Tags must be a list' })
    .max(QUESTION_MAX.tags, `A question has at most ${QUESTION_MAX.tags} tags`)
    .optional()
    .transform((tags) => (tags && tags.length > 0 ? [...new Set(tags)] : undefined)),
};

export const feedback = z
  .array(line('Feedback', { min: 0, max: QUESTION_MAX.feedback }), { error: 'Feedback must be a list' })
  .max(QUESTION_MAX.options, 'There is more feedback than options')
  .optional()
  .transform((texts) => (texts?.some((one) => one !== '') ? texts : undefined));

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

export const NO_ANSWER = 'has no answer';

export interface Kind {
  name: KindName;
  label: string;
  missing: (answer: Answer | undefined, question: ShownQuestion) => string | null;
}

export type Arrange = (texts: readonly string[]) => string[];

export interface Grader<Q> {
  shown: (question: Q, arrange: Arrange) => Omit<Partial<ShownQuestion>, 'id' | 'question'>;
  read: (question: Q, answer: Answer) => Answer | null;
  credit: (question: Q, answer: Answer) => number;
  solution: (question: Q) => Answer;
  solutionText?: (question: Q) => string;
  rightParts?: (question: Q, answer: Answer) => boolean[];
  feedback?: (question: Q, answer: Answer, plain: (option: string) => string) => string[];
  faults: (question: Q) => string[];
}

export type Tidy<T> = T extends unknown
  ? { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
      [K in keyof T as undefined extends T[K] ? K : never]?: T[K];
    }
  : never;

export function tidy<T extends object>(given: T): Tidy<T> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Tidy<T>;
}

export const textsOf = (answer: Answer | undefined): string[] => (Array.isArray(answer) ? answer : []);

/** Whether two lists hold the same texts, in whatever order. */
export function sameTexts(one: readonly string[], other: readonly string[]): boolean {
  const sorted = other.toSorted();
  return one.length === other.length && one.toSorted().every((text, index) => text === sorted[index]);
}

export interface AnswerProps {
  question: ShownQuestion;
  name: string;
  value: Answer | undefined;
  marked: MarkedAnswer | null;
  onChange: (answer: Answer) => void;
}
