import { z } from 'zod';
import { contract } from '#src/shared/contract.ts';
import { idInPath } from '#src/shared/fields.ts';

/**
 * `GET /api/lessons/{id}/comparison`: for who has passed a coding lesson, their program beside the author's solution, and
 * beside what others passed with where the author lets them see it.
 */
export const compareCall = contract({
  method: 'GET',
  path: '/api/lessons/{id}/comparison',
  params: z.object({ id: idInPath('Lesson id') }),
  output: z.object({
    /** The caller's last program that passed. */
    own: z.string(),
    /** Null where there is none. */
    solution: z
      .object({
        code: z.string(),
        /** What its author says of it, rendered and sanitised; empty where they say nothing. */
        notes: z.string(),
      })
      .nullable(),
    /** Null where the author does not let programs be seen. */
    others: z
      .object({
        /** How many learners wrote it as the caller did. */
        alike: z.number(),
        /** The most different first, without comments. */
        groups: z.array(z.object({ code: z.string(), learners: z.number() })),
      })
      .nullable(),
  }),
});
export type Comparison = z.output<typeof compareCall.output>;

/** `PUT /api/hidden-programs`: whether the caller keeps their programs from other learners, in every lesson. */
export const hideProgramsCall = contract({
  method: 'PUT',
  path: '/api/hidden-programs',
  input: z.object({ hidden: z.boolean({ error: 'Hidden must be true or false' }) }),
  output: z.object({ hidden: z.boolean() }),
});
