import { z } from 'zod';
import {
  feedback,
  type Kind,
  linesWherePlain,
  NO_ANSWER,
  options,
  sharedFields,
  type Tidy,
} from '../kind.ts';

export const singleChoiceFields = {
  ...sharedFields,
  kind: z
    .literal('single_choice')
    .optional()
    // The kind that a question has without saying so.
    .transform(() => undefined),
  options,
  correctAnswer: z.int({ error: 'Choose the correct option' }).min(0, 'Choose the correct option'),
  feedback,
};

export const singleChoiceInput = z
  .object(singleChoiceFields)
  .refine(({ options, correctAnswer }) => correctAnswer < options.length, {
    message: 'Choose the correct option',
    path: ['correctAnswer'],
  })
  .superRefine(linesWherePlain);
export type SingleChoice = Tidy<z.output<typeof singleChoiceInput>>;

export const singleChoice: Kind = {
  name: 'single_choice',
  label: 'Single choice',
  missing: (answer, { options, shuffled }) =>
    (shuffled ? options.includes(answer as string) : options[answer as number] !== undefined)
      ? null
      : NO_ANSWER,
};
