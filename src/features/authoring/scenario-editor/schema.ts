import { z } from 'zod';
import { contract } from '#src/shared/contract.ts';

/** `POST /api/admin/scenario-check`: what the publish check would say of a scenario that is not saved. */
export const checkScenarioCall = contract({
  method: 'POST',
  path: '/api/admin/scenario-check',
  input: z.object({
    /** As it was written: a wrong shape is a finding, not a refusal. */
    definition: z.unknown().refine((value) => value !== undefined, 'Scenario is required'),
  }),
  output: z.object({
    publishable: z.boolean(),
    findings: z.array(
      z.object({
        level: z.enum(['error', 'warning']),
        code: z.string(),
        /** Such as `rules.restart-web` or, where the shape is wrong, `rules.3.effects.0.path`. */
        at: z.string(),
        message: z.string(),
      }),
    ),
    /** Findings beyond those that are told. */
    moreFindings: z.number(),
    /** Different situations that were looked at. */
    states: z.number(),
    /** Titles of the actions of the shortest way; null where none was found. */
    solution: z.array(z.string()).nullable(),
    bestScore: z.number().nullable(),
    /** Of the shortest way, on the situation's clock. */
    minutes: z.number().nullable(),
  }),
});
export type ScenarioCheck = z.output<typeof checkScenarioCall.output>;
