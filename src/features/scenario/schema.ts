import { z } from 'zod';
import { LEVELS } from '#src/features/catalogue/catalogue.ts';
import { contract } from '#src/shared/contract.ts';
import { id, idInPath, text } from '#src/shared/fields.ts';
import { ACTION_MAX_CHARACTERS, PREVIEW_ACTIONS_MAX, SCENARIO_TIMES, SCENARIO_TYPES } from './limits.ts';

const state = z.record(z.string(), z.unknown());

const goalStatus = z.object({
  id: z.string(),
  title: z.string(),
  weight: z.number(),
  required: z.boolean(),
  met: z.boolean(),
});

const panel = z.object({
  title: z.string(),
  facts: z.array(
    z.object({ label: z.string(), value: z.string(), tone: z.enum(['plain', 'good', 'warning', 'bad']) }),
  ),
});
export type PanelModel = z.output<typeof panel>;

const situation = z.object({
  panels: z.array(panel),
  goals: z.array(goalStatus),
  /** Minutes of the situation's clock. */
  minutes: z.number(),
  score: z.number(),
});
export type Situation = z.output<typeof situation>;

const takenAction = z.object({
  action: z.string(),
  understoodAs: z.string().nullable(),
  feedback: z.string(),
  score: z.number(),
});
export type TakenAction = z.output<typeof takenAction>;

const runModel = z.object({
  runId: z.number(),
  startedAt: z.string(),
  time: z.enum(SCENARIO_TIMES),
  /** Null where the time does not run out. */
  deadline: z.string().nullable(),
  /** Seconds until the server ends the run; null where it does not. */
  secondsLeft: z.number().nullable(),
  newState: state,
  version: z.number(),
  actionsTaken: z.array(takenAction),
  completed: z.boolean(),
  passed: z.boolean(),
  feedback: z.string(),
  asked: z.array(z.string()),
  ...situation.shape,
});
export type RunModel = z.output<typeof runModel>;

/** `GET /api/scenarios/{id}` (spec 7). */
export const getScenarioCall = contract({
  method: 'GET',
  path: '/api/scenarios/{id}',
  params: z.object({ id: idInPath('Scenario id') }),
  output: z.object({
    id: z.number(),
    lessonId: z.number(),
    courseId: z.number(),
    title: z.string(),
    description: z.string(),
    scenario_type: z.enum(SCENARIO_TYPES),
    initial_state: state,
    goals: z.array(goalStatus.omit({ met: true })),
    resources: z.array(z.object({ title: z.string(), text: z.string() })),
    /** Minutes. */
    time_limit: z.number(),
    time: z.enum(SCENARIO_TIMES),
    difficulty: z.enum(LEVELS),
    panels: z.array(panel),
    run: runModel.nullable(),
    bestScore: z.number().nullable(),
    passed: z.boolean(),
    runs: z.number(),
  }),
});
export type ScenarioModel = z.output<typeof getScenarioCall.output>;

/** `POST /api/scenarios/{id}/start` (decision 51). */
export const startScenarioCall = contract({
  method: 'POST',
  path: '/api/scenarios/{id}/start',
  params: z.object({ id: idInPath('Scenario id') }),
  output: runModel,
});

/** `PUT /api/scenarios/{id}/time` (decision 126). */
export const chooseTimeCall = contract({
  method: 'PUT',
  path: '/api/scenarios/{id}/time',
  params: z.object({ id: idInPath('Scenario id') }),
  input: z.object({
    time: z.enum(SCENARIO_TIMES, { error: `Time must be one of ${SCENARIO_TIMES.join(', ')}` }),
  }),
  output: z.object({ time: z.enum(SCENARIO_TIMES), run: runModel.nullable() }),
});

/** `POST /api/execute-scenario-action` (spec 7). */
export const executeActionCall = contract({
  method: 'POST',
  path: '/api/execute-scenario-action',
  input: z.object({
    scenarioId: id('Scenario id'),
    action: text('Action', { max: ACTION_MAX_CHARACTERS }),
    version: z.int('Version must be a whole number').min(0, 'Version must not be negative').optional(),
  }),
  output: runModel.extend({
    /** `asked` and `answered` did nothing; nor did `stale`, whose `version` was out of date. */
    kind: z.enum(['done', 'repeated', 'blocked', 'asked', 'answered', 'stale']),
    acted: z.boolean(),
    understoodAs: z.string().nullable(),
    events: z.array(z.string()),
  }),
});
export type ActionResult = z.output<typeof executeActionCall.output>;

const step = z.object({
  position: z.number(),
  action: z.string(),
  understoodAs: z.string().nullable(),
  feedback: z.string(),
  ...situation.shape,
});
export type ReplayStep = z.output<typeof step>;

/** `POST /api/scenarios/{id}/preview`: for anyone; the server stores nothing. */
export const playPreviewCall = contract({
  method: 'POST',
  path: '/api/scenarios/{id}/preview',
  params: z.object({ id: idInPath('Scenario id') }),
  input: z.object({
    actions: z
      .array(text('Action', { max: ACTION_MAX_CHARACTERS }), 'Actions must be a list')
      .max(PREVIEW_ACTIONS_MAX, `At most ${PREVIEW_ACTIONS_MAX} actions can be tried`),
  }),
  output: z.object({
    step,
    /** Null where there was none. */
    kind: z.enum(['done', 'repeated', 'blocked', 'asked', 'answered', 'unknown']).nullable(),
    completed: z.boolean(),
    asked: z.array(z.string()),
  }),
});

export const getRunCall = contract({
  method: 'GET',
  path: '/api/scenarios/{id}/runs/{runId}',
  params: z.object({ id: idInPath('Scenario id'), runId: idInPath('Run id') }),
  output: z.object({
    runId: z.number(),
    score: z.number(),
    passed: z.boolean(),
    startedAt: z.string(),
    completedAt: z.string(),
    steps: z.array(step),
    best: z.object({ actions: z.array(z.string()), minutes: z.number() }).nullable(),
  }),
});
export type RunReplay = z.output<typeof getRunCall.output>;

export const whatIfCall = contract({
  method: 'POST',
  path: '/api/scenarios/{id}/runs/{runId}/what-if',
  params: z.object({ id: idInPath('Scenario id'), runId: idInPath('Run id') }),
  input: z.object({
    keep: z.number().int('Keep must be a whole number').min(0).max(10_000),
    actions: z
      .array(text('Action', { max: ACTION_MAX_CHARACTERS }))
      .min(1, 'Actions are required')
      .max(100, 'At most 100 actions can be tried'),
  }),
  output: z.object({ steps: z.array(step), completed: z.boolean(), asked: z.array(z.string()) }),
});
