import { z } from 'zod';
import { counted } from '#src/shared/counted.ts';
import { line } from '#src/shared/fields.ts';
import { QUESTION_MAX, tidy } from './kinds/kind.ts';

/** Percent of a quiz that passes it, where its author says nothing else (decision 36). */
export const QUIZ_PASS_PERCENT = 70;
const WAIT_MAX_MINUTES = 10_080;
const DRAWS_MAX = 20;

const whole = (label: string, min: number, max: number) =>
  z
    .int({ error: `${label} must be a whole number` })
    .min(min, `${label} must be at least ${min}`)
    .max(max, `${label} must be at most ${max.toLocaleString('en-US')}`);
const unless =
  <T>(usual: T) =>
  (value: T | null | undefined) =>
    value === usual || value === null ? undefined : value;

const draw = z
  .object({
    tag: line('Tag', { max: QUESTION_MAX.tag }).transform((value) => value.toLowerCase()),
    count: whole('The number of questions', 1, 100),
    from: z
      .literal('course', { error: 'A quiz draws from its own questions, or from those of its course' })
      .nullish()
      .transform((value) => value ?? undefined),
  })
  .transform(tidy);

/** A quiz without any is asked as decision 36 says. */
export const quizSettingsInput = z
  .object({
    passPercent: whole('The pass mark', 1, 100).nullish().transform(unless(QUIZ_PASS_PERCENT)),
    attempts: whole('The number of attempts', 1, 100).nullish().transform(unless(0)),
    waitMinutes: whole('The waiting time', 0, WAIT_MAX_MINUTES).nullish().transform(unless(0)),
    shuffleQuestions: z
      .boolean({ error: 'Shuffle must be true or false' })
      .nullish()
      .transform(unless(false)),
    shuffleOptions: z.boolean({ error: 'Shuffle must be true or false' }).nullish().transform(unless(false)),
    feedback: z
      .literal('each', { error: 'Feedback is given after each question, or at the end' })
      .nullish()
      .transform((value) => value ?? undefined),
    draw: z
      .array(draw, { error: 'What is drawn must be a list' })
      .max(DRAWS_MAX, `At most ${DRAWS_MAX} tags can be drawn from`)
      .refine((draws) => new Set(draws.map(({ tag }) => tag)).size === draws.length, 'A tag is there twice')
      .nullish()
      .transform((draws) => (draws && draws.length > 0 ? draws : undefined)),
  })
  .transform(tidy);
export type QuizSettings = z.output<typeof quizSettingsInput>;

export function settingsText(settings: QuizSettings): string {
  const {
    passPercent,
    attempts,
    waitMinutes,
    shuffleQuestions,
    shuffleOptions,
    feedback,
    draw = [],
  } = settings;
  return [
    `passes at ${passPercent ?? QUIZ_PASS_PERCENT}%`,
    attempts ? counted(attempts, 'attempt') : '',
    waitMinutes ? `${counted(waitMinutes, 'minute')} between attempts` : '',
    shuffleQuestions ? 'questions shuffled' : '',
    shuffleOptions ? 'options shuffled' : '',
    feedback ? 'feedback after each question' : '',
    ...draw.map(({ tag, count, from }) => `${count} of “${tag}”${from ? ' in the whole course' : ''}`),
  ]
    .filter((part) => part !== '')
    .join(', ');
}

/** The tags that are drawn from in all quizzes of the course. */
export function courseTags({ draw = [] }: QuizSettings): string[] {
  return draw.flatMap(({ tag, from }) => (from === 'course' ? [tag] : []));
}

export function drawnFrom<Q extends { tags?: string[] | undefined }>(
  questions: readonly Q[],
  { draw = [] }: QuizSettings,
  bank: readonly Q[] = [],
): { tag: string; count: number; among: Q[] }[] {
  const fromCourse = draw.filter(({ from }) => from === 'course');
  const first = (among: typeof draw, { tags }: Q) => among.find(({ tag }) => tags?.includes(tag));
  return draw.map((one) => ({
    tag: one.tag,
    count: one.count,
    among: [
      ...questions.filter((question) => first(draw, question) === one),
      ...bank.filter((question) => first(fromCourse, question) === one),
    ],
  }));
}

export function drawProblems<Q extends { tags?: string[] | undefined }>(
  questions: readonly Q[],
  settings: QuizSettings,
  bank: readonly Q[] = [],
): { at: number; message: string }[] {
  return drawnFrom(questions, settings, bank).flatMap(({ tag, count, among }, at) =>
    count > among.length
      ? [{ at, message: `${count} are to be drawn of ${among.length} with the tag “${tag}”` }]
      : [],
  );
}

export function quizProblems({
  questions,
  quizSettings,
}: {
  questions: readonly { tags?: string[] | undefined }[];
  quizSettings: QuizSettings;
}): { path: (string | number)[]; message: string }[] {
  return drawProblems(questions, quizSettings)
    .filter(({ at }) => quizSettings.draw?.[at]?.from !== 'course')
    .map(({ at, message }) => ({ path: ['quizSettings', 'draw', at], message }));
}
