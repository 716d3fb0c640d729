import { z } from 'zod';
import { contract } from '#src/shared/contract.ts';

export const checkScenarioCall = contract({
  method: 'POST',
  path: '/api/admin/scenario-check',
  input: z.object({
    definition: z.unknown().refine((value) => value !== undefined, 'Scenario is required'),
  }),
  output: z.object({
    publishable: z.boolean(),
    findings: z.array(
      z.object({
        level: z.enum(['error', 'warning']),
        code: z.string(),
        at: z.string(),
        message: z.string(),
      }),
    ),
    moreFindings: z.number(),
    states: z.number(),
    solution: z.array(z.string()).nullable(),
    bestScore: z.number().nullable(),
    minutes: z.number().nullable(),
  }),
});
export type ScenarioCheck = z.output<typeof checkScenarioCall.output>;
