import { z } from 'zod';

const words = z
  .string('must be text (put it in quotes if it begins with a digit or holds a colon)')
  .trim()
  .min(1, 'is empty: write the text, or take the line back from the example');
const holding = (place: string) => words.includes(place, { error: `must hold ${place}` });
const consent = z.strictObject({ name: words, text: words });

/** The shape of `src/content/consents.yaml`; its messages are read by whoever edits that file. */
export const consentsSchema = z.strictObject({
  heading: words,
  text: words,
  begin: consent,
  loss: consent,
  alone: holding('{missing}'),
  agreed: holding('{at}'),
  begun: words,
});

/** How the checkout asks for the consents; `version` names this wording of the two that are agreed to. */
export type ConsentWording = z.infer<typeof consentsSchema> & { version: string };
