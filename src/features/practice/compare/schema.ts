import { z } from 'zod';
import { contract } from '#src/shared/contract.ts';
import { idInPath } from '#src/shared/fields.ts';

/** `GET /api/lessons/{id}/comparison`: for who has passed. */
export const compareCall = contract({
  method: 'GET',
  path: '/api/lessons/{id}/comparison',
  params: z.object({ id: idInPath('Lesson id') }),
  output: z.object({
    own: z.string(),
    solution: z
      .object({
        code: z.string(),
        notes: z.string(),
      })
      .nullable(),
    others: z
      .object({
        alike: z.number(),
        groups: z.array(z.object({ code: z.string(), learners: z.number() })),
      })
      .nullable(),
  }),
});
export type Comparison = z.output<typeof compareCall.output>;

/** `PUT /api/hidden-programs`. */
export const hideProgramsCall = contract({
  method: 'PUT',
  path: '/api/hidden-programs',
  input: z.object({ hidden: z.boolean({ error: 'Hidden must be true or false' }) }),
  output: z.object({ hidden: z.boolean() }),
});
