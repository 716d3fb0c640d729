import { z } from 'zod';
import { contract } from '#src/shared/contract.ts';
import { idInPath } from '#src/shared/fields.ts';
import { learnerError, program } from '../schema.ts';

const step = z.object({
  kind: z.enum(['line', 'call', 'return']),
  line: z.number(),
  /** The function; empty outside of all. */
  fn: z.string(),
  depth: z.number(),
  /** Characters of the output that were printed before. */
  printed: z.number(),
  /** Variables of the open call that have changed; null for what is gone. */
  vars: z.record(z.string(), z.string().nullable()).optional(),
  value: z.string().optional(),
});

/**
 * `POST /api/lessons/{id}/replay`: runs a program on the input of one visible test once more, step by step. Nothing is
 * kept or counted. Of the author's solution it tells one value at most.
 */
export const replayCall = contract({
  method: 'POST',
  path: '/api/lessons/{id}/replay',
  params: z.object({ id: idInPath('Lesson id') }),
  input: program.extend({
    /** Place of the test in the lesson, from 0. */
    test: z
      .int({ error: 'Test must be the place of a test, from 0' })
      .min(0, 'Test must be the place of a test, from 0'),
  }),
  output: z.object({
    steps: z.array(step),
    /** How many of them the program had taken before the test's own call. */
    asked: z.number(),
    /** False where the run had more steps than are kept. */
    isWhole: z.boolean(),
    output: z.string(),
    /** What ended the run, where it did not end by itself. */
    error: learnerError.nullable(),
    /** Where it parts from the author's solution; null where the lesson has none. */
    parts: z
      .object({
        step: z.number().nullable(),
        /** The line that did it; null where the step is. */
        line: z.number().nullable(),
        says: z.string(),
      })
      .nullable(),
  }),
});
export type RanReplay = z.output<typeof replayCall.output>;
