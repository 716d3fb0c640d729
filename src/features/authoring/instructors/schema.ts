import { z } from 'zod';
import { contract } from '#src/shared/contract.ts';
import { idInPath, text } from '#src/shared/fields.ts';

/** Characters of what an instructor says of themselves at most. */
export const INSTRUCTOR_WORDS_MAX = 600;

/** Bytes of the picture that a portrait is made of at most. */
export const PORTRAIT_MAX_BYTES = 10_485_760;

/** What the pages of a person's courses show of them, beside the name. */
export const instructorModel = z.object({
  words: z.string(),
  /** Where the portrait is served; null without one. */
  portrait: z.string().nullable(),
});
export type InstructorModel = z.output<typeof instructorModel>;

const person = z.object({ id: idInPath('User') });

/** `PUT /api/instructors/{id}`: what the pages of this person's courses say of them; nothing, where it is empty. */
export const saveInstructorCall = contract({
  method: 'PUT',
  path: '/api/instructors/{id}',
  params: person,
  input: z.object({ words: text('Words', { min: 0, max: INSTRUCTOR_WORDS_MAX }) }),
  output: instructorModel,
});

/** `POST /api/instructors/{id}/portrait`: a picture, sent as `file` in a form, in the place of the one before. */
export const uploadPortraitCall = contract({
  method: 'POST',
  path: '/api/instructors/{id}/portrait',
  params: person,
  output: instructorModel,
});

/** `DELETE /api/instructors/{id}/portrait` */
export const removePortraitCall = contract({
  method: 'DELETE',
  path: '/api/instructors/{id}/portrait',
  params: person,
  output: instructorModel,
});
