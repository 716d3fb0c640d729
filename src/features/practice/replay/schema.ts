import { z } from 'zod';
import { contract } from '#src/shared/contract.ts';
import { idInPath } from '#src/shared/fields.ts';
import { learnerError, program } from '../schema.ts';

const step = z.object({
  kind: z.enum(['line', 'call', 'return']),
  line: z.number(),
  fn: z.string(),
  depth: z.number(),
  /** Characters of the output that were printed before. */
  printed: z.number(),
  /** Null for what is gone. */
  vars: z.record(z.string(), z.string().nullable()).optional(),
  value: z.string().optional(),
});

/** `POST /api/lessons/{id}/replay`: nothing is stored or counted. */
export const replayCall = contract({
  method: 'POST',
  path: '/api/lessons/{id}/replay',
  params: z.object({ id: idInPath('Lesson id') }),
  input: program.extend({
    test: z
      .int({ error: 'Test must be the place of a test, from 0' })
      .min(0, 'Test must be the place of a test, from 0'),
  }),
  output: z.object({
    steps: z.array(step),
    asked: z.number(),
    isWhole: z.boolean(),
    output: z.string(),
    error: learnerError.nullable(),
    parts: z
      .object({
        step: z.number().nullable(),
        line: z.number().nullable(),
        says: z.string(),
      })
      .nullable(),
  }),
});
export type RanReplay = z.output<typeof replayCall.output>;
