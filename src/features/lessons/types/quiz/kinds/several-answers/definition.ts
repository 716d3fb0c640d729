import { z } from 'zod';
import {
  feedback,
  type Kind,
  linesWherePlain,
  NO_ANSWER,
  options,
  sharedFields,
  textsOf,
  type Tidy,
} from '../kind.ts';

export const severalAnswersInput = z
  .object({
    ...sharedFields,
    kind: z.literal('several_answers'),
    options,
    correctAnswers: z
      .array(z.int().min(0), { error: 'Choose the correct options' })
      .min(1, 'Choose at least one correct option')
      .transform((numbers) => [...new Set(numbers)].toSorted((a, b) => a - b)),
    feedback,
  })
  .refine(({ options, correctAnswers }) => correctAnswers.every((number) => number < options.length), {
    message: 'Choose the correct options',
    path: ['correctAnswers'],
  })
  .superRefine(linesWherePlain);
export type SeveralAnswers = Tidy<z.output<typeof severalAnswersInput>>;

export const severalAnswers: Kind = {
  name: 'several_answers',
  label: 'Several answers',
  missing: (answer, { options }) => {
    const chosen = textsOf(answer);
    return chosen.length > 0 && chosen.every((text) => options.includes(text)) ? null : NO_ANSWER;
  },
};
