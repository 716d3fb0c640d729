import { z } from 'zod';
import { contract } from '#src/shared/contract.ts';
import { idInPath, text } from '#src/shared/fields.ts';

export const INSTRUCTOR_WORDS_MAX = 600;

export const PORTRAIT_MAX_BYTES = 10_485_760;

export const instructorModel = z.object({
  words: z.string(),
  portrait: z.string().nullable(),
});
export type InstructorModel = z.output<typeof instructorModel>;

const person = z.object({ id: idInPath('User') });

/** An empty text shows nothing. */
export const saveInstructorCall = contract({
  method: 'PUT',
  path: '/api/instructors/{id}',
  params: person,
  input: z.object({ words: text('Words', { min: 0, max: INSTRUCTOR_WORDS_MAX }) }),
  output: instructorModel,
});

/** Takes a form with `file`. */
export const uploadPortraitCall = contract({
  method: 'POST',
  path: '/api/instructors/{id}/portrait',
  params: person,
  output: instructorModel,
});

export const removePortraitCall = contract({
  method: 'DELETE',
  path: '/api/instructors/{id}/portrait',
  params: person,
  output: instructorModel,
});
