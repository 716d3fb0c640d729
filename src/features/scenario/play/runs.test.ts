import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RunModel, ScenarioModel } from '../schema.ts';
import { freeRuns } from './runs.ts';

const SCENARIO = { id: 3, time_limit: 30, initial_state: {} } as ScenarioModel;

let sent: string[][];

beforeEach(() => {
  sent = [];
  vi.stubGlobal('location', { origin: 'http://site.test', pathname: '/scenario/3' });
  vi.stubGlobal('fetch', async (url: URL, { body }: { body: string }) => {
    expect(url.pathname).toBe('/api/scenarios/3/preview');
    const { actions } = JSON.parse(body) as { actions: string[] };
    sent.push(actions);
    const completed = actions.at(-1) === 'end';
    const step = {
      position: actions.length,
      action: actions.at(-1) ?? '',
      understoodAs: actions.at(-1) === 'sing' ? null : 'Something',
      feedback: 'So it is.',
      panels: [],
      goals: [],
      minutes: actions.length,
      score: 40 * actions.length,
    };
    const kind = actions.length === 0 ? null : step.understoodAs ? 'done' : 'unknown';
    return Response.json({ step, kind, completed, asked: [] });
  });
});
afterEach(() => vi.unstubAllGlobals());

async function played(...actions: string[]) {
  const runs = freeRuns(SCENARIO);
  let run: RunModel = await runs.start();
  for (const action of actions) run = await runs.act(run, action);
  return { runs, run };
}

describe('a visitor’s run', () => {
  it('is sent from its beginning with each action, and told like a learner’s', async () => {
    const { run } = await played('look', 'sing');
    expect(sent).toEqual([[], ['look'], ['look', 'sing']]);
    expect(run).toMatchObject({
      kind: 'unknown',
      acted: false,
      score: 80,
      completed: false,
      secondsLeft: 1800,
      time: 'usual',
    });
    expect(run.actionsTaken.map(({ action }) => action)).toEqual(['look', 'sing']);
  });

  it('ends with its score, from which other ways may be tried', async () => {
    const { runs, run } = await played('look', 'end');
    expect(run).toMatchObject({ completed: true, passed: true, secondsLeft: 0 });
    const replay = await runs.result(run.runId);
    expect(replay).toMatchObject({ score: 80, passed: true, best: null });
    expect(replay.steps).toHaveLength(3);
    const tried = await runs.tryOn(replay, 1, ['wait', 'sing']);
    expect(sent.at(-1)).toEqual(['look', 'wait', 'sing']);
    expect(tried.step.action).toBe('sing');
    expect((await runs.result(run.runId)).steps).toHaveLength(3);
  });

  it('begins anew as another', async () => {
    const { runs, run } = await played('look');
    const again = await runs.start();
    expect(again.runId).not.toBe(run.runId);
    expect(again.actionsTaken).toEqual([]);
  });

  it('has the time that was chosen before it, and more but never less while it runs', async () => {
    const runs = freeRuns(SCENARIO);
    expect(await runs.chooseTime('half_more')).toBeNull();
    expect(await runs.start()).toMatchObject({ time: 'half_more', secondsLeft: 2700 });
    expect(await runs.chooseTime('usual')).toMatchObject({ time: 'half_more' });
    expect(await runs.chooseTime('none')).toMatchObject({ time: 'none', secondsLeft: null, deadline: null });
    expect(await runs.start()).toMatchObject({ time: 'none', secondsLeft: null });
  });
});
