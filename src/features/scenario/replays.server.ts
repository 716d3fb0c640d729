import { setImmediate as nextTurn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { and, asc, eq } from 'drizzle-orm';
import type { z } from 'zod';
import { db } from '#db/client.ts';
import { scenarioActions, scenarioProgress } from '#db/schema/scenario.ts';
import { type Engine, isActed, type Outcome, type Run } from './engine.ts';
import type { ReplayStep, RunReplay, whatIfCall } from './schema.ts';
import { bestWay, runColumns } from './engines.server.ts';
import { feedbackOf } from './actions.server.ts';
import {
  type SignedIn,
  engineOf,
  engineOfRun,
  notFound,
  readable,
  situationOf,
} from '#src/features/scenario/scenario.server.ts';

async function finishedRun(user: SignedIn, scenarioId: number, runId: number) {
  const { scenario } = await readable(db(), user, scenarioId);
  const [run] = await db()
    .select(runColumns)
    .from(scenarioProgress)
    .where(
      and(
        eq(scenarioProgress.id, runId),
        eq(scenarioProgress.userId, user.id),
        eq(scenarioProgress.scenarioId, scenarioId),
        eq(scenarioProgress.completed, true),
      ),
    );
  if (!run) throw notFound();
  const actions = await db()
    .select({
      action: scenarioActions.action,
      rule: scenarioActions.rule,
      feedback: scenarioActions.feedback,
    })
    .from(scenarioActions)
    .where(eq(scenarioActions.progressId, run.id))
    .orderBy(asc(scenarioActions.position));
  return { scenario, run, actions };
}

const PLAYED_AT_ONCE = 10;

interface Stored {
  action: string;
  rule: string | null;
  feedback: string;
}

/** Replays by the stored rules, so that a run stays what it was when more words are understood. */
async function play(
  engine: Engine,
  stored: readonly Stored[],
  texts: readonly string[] = [],
): Promise<{ steps: ReplayStep[]; last: Run }> {
  let run = engine.begin();
  const first = { position: 0, action: '', understoodAs: null, feedback: '' };
  const steps: ReplayStep[] = [{ ...first, ...situationOf(engine, run) }];
  const step = (action: string, outcome: Outcome | null, feedback: string) => {
    if (outcome) run = outcome.run;
    steps.push({
      position: steps.length,
      action,
      understoodAs: outcome && isActed(outcome) ? outcome.title : null,
      feedback,
      ...situationOf(engine, run),
    });
  };
  for (const { action, rule, feedback } of stored) {
    if (steps.length % PLAYED_AT_ONCE === 0) await nextTurn();
    step(action, rule === null ? null : engine.replay(run, rule), feedback);
  }
  for (const action of texts) {
    if (steps.length % PLAYED_AT_ONCE === 0) await nextTurn();
    const outcome = engine.act(run, action);
    step(action, outcome, feedbackOf(outcome));
  }
  return { steps, last: run };
}

/** A finished run beside the best known way. @throws {AppError} not_found */
export async function getRun(user: SignedIn, scenarioId: number, runId: number): Promise<RunReplay> {
  const { scenario, run, actions } = await finishedRun(user, scenarioId, runId);
  const engine = await engineOfRun(db(), run);
  return {
    runId: run.id,
    score: run.score,
    passed: run.passed,
    startedAt: run.startedAt.toISOString(),
    completedAt: run.completedAt!.toISOString(),
    steps: (await play(engine, actions)).steps,
    // An edited scenario has another way: it says nothing about this run.
    best: isDeepStrictEqual(engine.scenario, engineOf(scenario).scenario) ? await bestWay(scenario) : null,
  };
}

/** Tries on from a step of a finished run: practice, neither stored nor scored. */
export async function tryWhatIf(
  user: SignedIn,
  scenarioId: number,
  runId: number,
  { keep, actions }: { keep: number; actions: string[] },
): Promise<z.output<typeof whatIfCall.output>> {
  const { run, actions: taken } = await finishedRun(user, scenarioId, runId);
  const engine = await engineOfRun(db(), run);
  const { steps, last } = await play(engine, taken.slice(0, keep), actions);
  return { steps, completed: engine.isCompleted(last), asked: engine.askedTitles(last) };
}
