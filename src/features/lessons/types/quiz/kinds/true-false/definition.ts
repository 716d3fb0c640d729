import { z } from 'zod';
import { feedback, type Kind, NO_ANSWER, sharedFields, type Tidy } from '../kind.ts';

export const TRUE_FALSE = ['True', 'False'];

export const trueFalseInput = z.object({
  ...sharedFields,
  kind: z.literal('true_false'),
  isTrue: z.boolean({ error: 'Say whether it is true' }),
  feedback,
});
export type TrueFalse = Tidy<z.output<typeof trueFalseInput>>;

export const trueFalse: Kind = {
  name: 'true_false',
  label: 'True or false',
  missing: (answer) => (typeof answer === 'boolean' ? null : NO_ANSWER),
};
