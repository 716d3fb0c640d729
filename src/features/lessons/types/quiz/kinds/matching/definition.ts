import { z } from 'zod';
import { filled, line } from '#src/shared/fields.ts';
import { type Kind, lines, NO_ANSWER, QUESTION_MAX, sharedFields, textsOf, type Tidy } from '../kind.ts';

const pair = z.object({
  prompt: filled(line('Prompt', { max: QUESTION_MAX.option })),
  match: filled(line('Match', { max: QUESTION_MAX.accepted })),
});

export const matchingInput = z
  .object({
    ...sharedFields,
    kind: z.literal('matching'),
    pairs: z
      .array(pair, { error: 'Pairs must be a list' })
      .min(2, 'A question needs at least 2 pairs')
      .max(QUESTION_MAX.items, `A question has at most ${QUESTION_MAX.items} pairs`)
      .refine(
        (pairs) => {
          const prompts = pairs.map(({ prompt }) => prompt).filter((prompt) => prompt !== '');
          return new Set(prompts).size === prompts.length;
        },
        { error: 'Two prompts are the same' },
      ),
    distractors: lines('Distractor', {
      max: QUESTION_MAX.options,
      length: QUESTION_MAX.accepted,
      many: 'Distractors',
    }).default([]),
  })
  .refine(({ pairs, distractors }) => !pairs.some(({ match }) => distractors.includes(match)), {
    message: 'A distractor is the match of a prompt',
    path: ['distractors'],
  })
  .refine(
    ({ pairs, distractors }) => new Set([...pairs.map(({ match }) => match), ...distractors]).size > 1,
    {
      message: 'Every prompt has the same match: there is nothing to choose',
      path: ['pairs'],
    },
  );
export type Matching = Tidy<z.output<typeof matchingInput>>;

export const matching: Kind = {
  name: 'matching',
  label: 'Matching',
  missing: (answer, { options, choices = [] }) => {
    const given = textsOf(answer);
    if (!given.some((text) => choices.includes(text))) return NO_ANSWER;
    const isWhole = given.length === options.length && given.every((text) => choices.includes(text));
    return isWhole ? null : 'has a prompt without a match';
  },
};
