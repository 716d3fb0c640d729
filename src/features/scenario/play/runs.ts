import { call } from '#src/shared/api.ts';
import { PASS_SCORE, type ScenarioTime, SCENARIO_TIMES, secondsFor } from '../limits.ts';
import {
  type ActionResult,
  chooseTimeCall,
  executeActionCall,
  getRunCall,
  getScenarioCall,
  playPreviewCall,
  type ReplayStep,
  type RunModel,
  type RunReplay,
  type ScenarioModel,
  startScenarioCall,
  whatIfCall,
} from '../schema.ts';

export type Played = Omit<ActionResult, 'kind'> & { kind: ActionResult['kind'] | 'unknown' };

export interface Tried {
  step: ReplayStep;
  completed: boolean;
  asked: string[];
}

export interface Runs {
  start(): Promise<RunModel>;
  chooseTime(time: ScenarioTime): Promise<RunModel | null>;
  act(run: RunModel, action: string): Promise<Played>;
  end(): Promise<unknown>;
  result(runId: number): Promise<RunReplay>;
  tryOn(run: RunReplay, keep: number, actions: string[]): Promise<Tried>;
}

/** A learner's runs, which are the server's. */
export function keptRuns(id: number): Runs {
  const params = { id };
  return {
    start: () => call(startScenarioCall, { params }),
    chooseTime: async (time) =>
      (await call(chooseTimeCall, { params, input: { time }, keepalive: true })).run,
    // A second window may have moved the run on: then the learner is shown how it stands first.
    act: ({ version }, action) => call(executeActionCall, { input: { scenarioId: id, action, version } }),
    // Asking for the scenario lets the server end the run.
    end: () => call(getScenarioCall, { params }).catch(() => null),
    result: (runId) => call(getRunCall, { params: { id, runId } }),
    async tryOn({ runId }, keep, actions) {
      const input = { keep, actions };
      const { steps, ...tried } = await call(whatIfCall, { params: { id, runId }, input });
      return { step: steps.at(-1)!, ...tried };
    },
  };
}

/** A visitor's runs of a preview: this page alone has them, and they end with it. */
export function freeRuns({ id, time_limit, initial_state }: ScenarioModel): Runs {
  let runId = 0;
  let startedAt = 0;
  let steps: ReplayStep[] = [];
  let chosen: ScenarioTime = 'usual';
  let time: ScenarioTime = chosen;
  let last: Tried | null = null;

  const play = (actions: string[]) => call(playPreviewCall, { params: { id }, input: { actions } });

  const runOf = ({ step, completed, asked }: Tried): RunModel => {
    const { panels, goals, minutes, score, feedback } = step;
    const seconds = secondsFor(time_limit, time);
    const deadline = seconds === null ? null : startedAt + seconds * 1000;
    return {
      runId,
      startedAt: new Date(startedAt).toISOString(),
      time,
      deadline: deadline === null ? null : new Date(deadline).toISOString(),
      secondsLeft: completed
        ? 0
        : deadline === null
          ? null
          : Math.max(0, Math.ceil((deadline - Date.now()) / 1000)),
      newState: initial_state,
      version: steps.length - 1,
      actionsTaken: steps.slice(1),
      completed,
      passed: completed && score >= PASS_SCORE,
      feedback,
      asked,
      panels,
      goals,
      minutes,
      score,
    };
  };

  return {
    async start() {
      const begun = await play([]);
      runId += 1;
      startedAt = Date.now();
      time = chosen;
      last = begun;
      steps = [begun.step];
      return runOf(begun);
    },
    async act(_, action) {
      const { kind, ...played } = await play([...actionsOf(steps), action]);
      last = played;
      steps = [...steps, played.step];
      const { understoodAs } = played.step;
      return { ...runOf(played), kind: kind!, acted: understoodAs !== null, understoodAs, events: [] };
    },
    async chooseTime(wanted) {
      chosen = wanted;
      if (!last) return null;
      if (SCENARIO_TIMES.indexOf(wanted) > SCENARIO_TIMES.indexOf(time)) time = wanted;
      return runOf(last);
    },
    end: async () => null,
    async result() {
      const { score } = steps.at(-1)!;
      return {
        runId,
        score,
        passed: score >= PASS_SCORE,
        startedAt: new Date(startedAt).toISOString(),
        completedAt: new Date().toISOString(),
        steps,
        best: null,
      };
    },
    tryOn: (run, keep, actions) => play([...actionsOf(run.steps.slice(0, keep + 1)), ...actions]),
  };
}

function actionsOf(steps: readonly ReplayStep[]): string[] {
  return steps.slice(1).map(({ action }) => action);
}
