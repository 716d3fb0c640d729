import { z } from 'zod';
import { type Kind, lines, NO_ANSWER, QUESTION_MAX, sharedFields, type Tidy } from '../kind.ts';

export const shortTextInput = z.object({
  ...sharedFields,
  kind: z.literal('short_text'),
  accepted: lines('Accepted answer', {
    min: 1,
    max: QUESTION_MAX.acceptedAnswers,
    length: QUESTION_MAX.accepted,
    many: 'Accepted answers',
  }),
  matchCase: z.boolean({ error: 'Match case must be true or false' }).default(false),
  forgiveTypos: z.boolean({ error: 'Forgive typos must be true or false' }).default(false),
});
export type ShortText = Tidy<z.output<typeof shortTextInput>>;

export const shortText: Kind = {
  name: 'short_text',
  label: 'Short text',
  missing: (answer) => (typeof answer === 'string' && answer.trim() !== '' ? null : NO_ANSWER),
};
