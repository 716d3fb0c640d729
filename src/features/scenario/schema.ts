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

/** Where a run stands: everything the screen shows of it. */
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
  /** The author's words for what it was understood as; null where nothing was done for it. */
  understoodAs: z.string().nullable(),
  feedback: z.string(),
  score: z.number(),
});
export type TakenAction = z.output<typeof takenAction>;

const runModel = z.object({
  runId: z.number(),
  startedAt: z.string(),
  /** What the learner chose of the time limit. */
  time: z.enum(SCENARIO_TIMES),
  /** Null where the time does not run out. */
  deadline: z.string().nullable(),
  /** Seconds until the server ends the run; the browser's clock decides nothing. Null where it does not. */
  secondsLeft: z.number().nullable(),
  newState: state,
  /** Raised by each action that was carried out. */
  version: z.number(),
  actionsTaken: z.array(takenAction),
  completed: z.boolean(),
  passed: z.boolean(),
  feedback: z.string(),
  /** What the learner was asked about last: "yes" means it. Titles of at most two actions. */
  asked: z.array(z.string()),
  ...situation.shape,
});
export type RunModel = z.output<typeof runModel>;

/** `GET /api/scenarios/{id}` (spec 7). Rules, conditions and the way to solve it stay on the server. */
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
    /** What the caller chose of it, in this scenario or another. */
    time: z.enum(SCENARIO_TIMES),
    difficulty: z.enum(LEVELS),
    panels: z.array(panel),
    /** The caller's open run, to go on with after a reload. */
    run: runModel.nullable(),
    bestScore: z.number().nullable(),
    passed: z.boolean(),
    runs: z.number(),
  }),
});
export type ScenarioModel = z.output<typeof getScenarioCall.output>;

/** `POST /api/scenarios/{id}/start` (decision 51). An open run ends with the score it has. */
export const startScenarioCall = contract({
  method: 'POST',
  path: '/api/scenarios/{id}/start',
  params: z.object({ id: idInPath('Scenario id') }),
  output: runModel,
});

/**
 * `PUT /api/scenarios/{id}/time` (decision 126): how much of a scenario's time the caller is given, from now on in all of
 * them. Their open run of this one gets more at once, never less.
 */
export const chooseTimeCall = contract({
  method: 'PUT',
  path: '/api/scenarios/{id}/time',
  params: z.object({ id: idInPath('Scenario id') }),
  input: z.object({
    time: z.enum(SCENARIO_TIMES, { error: `Time must be one of ${SCENARIO_TIMES.join(', ')}` }),
  }),
  output: z.object({ time: z.enum(SCENARIO_TIMES), run: runModel.nullable() }),
});

/**
 * `POST /api/execute-scenario-action` (spec 7). The run is the server's: `currentState` and `actionsTaken` of a request
 * are not read, whatever they say. Every answer carries the run as it is, refusals too.
 */
export const executeActionCall = contract({
  method: 'POST',
  path: '/api/execute-scenario-action',
  input: z.object({
    scenarioId: id('Scenario id'),
    action: text('Action', { max: ACTION_MAX_CHARACTERS }),
    /** The run's as the sender saw it: where it has moved on in another window, nothing is done. Left out, none is asked. */
    version: z.int('Version must be a whole number').min(0, 'Version must not be negative').optional(),
  }),
  output: runModel.extend({
    /** `asked` and `answered` did nothing; `stale`: `version` was out of date, and nothing was done. */
    kind: z.enum(['done', 'repeated', 'blocked', 'asked', 'answered', 'stale']),
    /** Whether the words named an action that was carried out, or answered by its own text. */
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

/**
 * `POST /api/scenarios/{id}/preview`: plays a scenario that is a preview from its beginning, for anyone. The run is the
 * caller's to keep, as its actions; the server keeps nothing of it.
 */
export const playPreviewCall = contract({
  method: 'POST',
  path: '/api/scenarios/{id}/preview',
  params: z.object({ id: idInPath('Scenario id') }),
  input: z.object({
    /** None: how it begins. */
    actions: z
      .array(text('Action', { max: ACTION_MAX_CHARACTERS }), 'Actions must be a list')
      .max(PREVIEW_ACTIONS_MAX, `At most ${PREVIEW_ACTIONS_MAX} actions can be tried`),
  }),
  output: z.object({
    /** What the last action came to. */
    step,
    /** Of the last action; null where there was none. `unknown`: its words meant nothing known. */
    kind: z.enum(['done', 'repeated', 'blocked', 'asked', 'answered', 'unknown']).nullable(),
    completed: z.boolean(),
    asked: z.array(z.string()),
  }),
});

/** `GET /api/scenarios/{id}/runs/{runId}`: a finished run step by step, beside the best known way. */
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
    /** The first is the situation before any action. */
    steps: z.array(step),
    best: z.object({ actions: z.array(z.string()), minutes: z.number() }).nullable(),
  }),
});
export type RunReplay = z.output<typeof getRunCall.output>;

/** `POST /api/scenarios/{id}/runs/{runId}/what-if`: goes on from a step of a finished run; nothing is stored or scored. */
export const whatIfCall = contract({
  method: 'POST',
  path: '/api/scenarios/{id}/runs/{runId}/what-if',
  params: z.object({ id: idInPath('Scenario id'), runId: idInPath('Run id') }),
  input: z.object({
    /** Steps of the run that are kept; 0 begins anew. */
    keep: z.number().int('Keep must be a whole number').min(0).max(10_000),
    actions: z
      .array(text('Action', { max: ACTION_MAX_CHARACTERS }))
      .min(1, 'Actions are required')
      .max(100, 'At most 100 actions can be tried'),
  }),
  output: z.object({ steps: z.array(step), completed: z.boolean(), asked: z.array(z.string()) }),
});
