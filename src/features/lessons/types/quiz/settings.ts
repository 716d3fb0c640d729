import { z } from 'zod';
import { counted } from '#src/shared/counted.ts';
import { line } from '#src/shared/fields.ts';
import { QUESTION_MAX, tidy } from './kinds/kind.ts';

/** Percent of a quiz that passes it, where its author says nothing else (decision 36). */
export const QUIZ_PASS_PERCENT = 70;
/** A week. */
const WAIT_MAX_MINUTES = 10_080;
const DRAWS_MAX = 20;

const whole = (label: string, min: number, max: number) =>
  z
    .int({ error: `${label} must be a whole number` })
    .min(min, `${label} must be at least ${min}`)
    .max(max, `${label} must be at most ${max.toLocaleString('en-US')}`);
/** Left out where it says what holds anyway. */
const unless =
  <T>(usual: T) =>
  (value: T | null | undefined) =>
    value === usual || value === null ? undefined : value;

const draw = z.object({
  tag: line('Tag', { max: QUESTION_MAX.tag }).transform((value) => value.toLowerCase()),
  count: whole('The number of questions', 1, 100),
});

/** How a quiz is asked. Every setting may be left out; a quiz without any is asked as decision 36 says. */
export const quizSettingsInput = z
  .object({
    passPercent: whole('The pass mark', 1, 100).nullish().transform(unless(QUIZ_PASS_PERCENT)),
    /** How often it may be handed in; any number of times where it is left out. */
    attempts: whole('The number of attempts', 1, 100).nullish().transform(unless(0)),
    /** Between one attempt and the next. */
    waitMinutes: whole('The waiting time', 0, WAIT_MAX_MINUTES).nullish().transform(unless(0)),
    shuffleQuestions: z
      .boolean({ error: 'Shuffle must be true or false' })
      .nullish()
      .transform(unless(false)),
    shuffleOptions: z.boolean({ error: 'Shuffle must be true or false' }).nullish().transform(unless(false)),
    /** Of the questions with a tag, so many are asked in each attempt; those with none of these tags always are. */
    draw: z
      .array(draw, { error: 'What is drawn must be a list' })
      .max(DRAWS_MAX, `At most ${DRAWS_MAX} tags can be drawn from`)
      .refine((draws) => new Set(draws.map(({ tag }) => tag)).size === draws.length, 'A tag is there twice')
      .nullish()
      .transform((draws) => (draws && draws.length > 0 ? draws : undefined)),
  })
  .transform(tidy);
export type QuizSettings = z.output<typeof quizSettingsInput>;

/** The settings in one line, for whoever compares two of them. */
export function settingsText(settings: QuizSettings): string {
  const { passPercent, attempts, waitMinutes, shuffleQuestions, shuffleOptions, draw = [] } = settings;
  return [
    `passes at ${passPercent ?? QUIZ_PASS_PERCENT}%`,
    attempts ? counted(attempts, 'attempt') : '',
    waitMinutes ? `${counted(waitMinutes, 'minute')} between attempts` : '',
    shuffleQuestions ? 'questions shuffled' : '',
    shuffleOptions ? 'options shuffled' : '',
    ...draw.map(({ tag, count }) => `${count} of “${tag}”`),
  ]
    .filter((part) => part !== '')
    .join(', ');
}

/** What belongs to each tag that is drawn from; a question with two such tags belongs to the first. */
export function drawnFrom<Q extends { tags?: string[] | undefined }>(
  questions: readonly Q[],
  { draw = [] }: QuizSettings,
): { tag: string; count: number; among: Q[] }[] {
  const tagOf = (question: Q) => draw.find(({ tag }) => question.tags?.includes(tag))?.tag;
  return draw.map(({ tag, count }) => ({
    tag,
    count,
    among: questions.filter((question) => tagOf(question) === tag),
  }));
}

/** What is wrong with the drawing, by the place of the tag in its list. */
export function drawProblems(
  questions: readonly { tags?: string[] | undefined }[],
  settings: QuizSettings,
): { at: number; message: string }[] {
  return drawnFrom(questions, settings).flatMap(({ tag, count, among }, at) =>
    count > among.length
      ? [{ at, message: `${count} are to be drawn of ${among.length} with the tag “${tag}”` }]
      : [],
  );
}
