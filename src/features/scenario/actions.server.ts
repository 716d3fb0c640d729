import { isDeepStrictEqual } from 'node:util';
import { eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { db, type Tx } from '#db/client.ts';
import { scenarioActions, scenarioProgress } from '#db/schema/scenario.ts';
import { retryOnConflict } from '#src/server/database-errors.ts';
import { AppError } from '#src/shared/errors.ts';
import { type Engine, isActed, type Outcome, type Run } from './engine.ts';
import type { ActionResult, executeActionCall, TakenAction } from './schema.ts';
import { ACTION_FAILED, RUN_ENDED, OUT_OF_DATE, TIME_IS_UP } from './texts.ts';
import { type RunRow, runColumns } from './engines.server.ts';
import {
  type SignedIn,
  actionsOf,
  beginRun,
  endRun,
  engineOfRun,
  isLate,
  lastRun,
  lockRuns,
  openRun,
  reach,
  readable,
  toRunModel,
} from '#src/features/scenario/scenario.server.ts';

const ACTIONS_MAX = 500;

type ActionRequest = z.output<NonNullable<typeof executeActionCall.input>>;

/**
 * Does one action in the caller's open run (spec 7, decisions 51–53, 95). @throws {AppError} not_found
 * without access; conflict where no run is open; not_understood with the text of spec 8 and `reply`
 */
export async function executeAction(user: SignedIn, request: ActionRequest): Promise<ActionResult> {
  const outcome = await retryOnConflict(() => db().transaction((tx) => act(tx, user, request)));
  // Thrown out here, so that what was logged stays.
  if (outcome instanceof AppError) throw outcome;
  return outcome;
}

async function act(
  tx: Tx,
  user: SignedIn,
  { scenarioId, action, version }: ActionRequest,
): Promise<ActionResult | AppError> {
  const courseId = await reach(tx, user, scenarioId);
  await lockRuns(tx, user.id, scenarioId, courseId);
  let row = await openRun(tx, user.id, scenarioId, true);
  if (!row) {
    const last = await lastRun(tx, user.id, scenarioId);
    if (last) {
      return new AppError('conflict', RUN_ENDED, {
        extra: await toRunModel(tx, last),
      });
    }
    // The first action of somebody who never started it begins a run (spec 7 names no call that does).
    row = await beginRun(tx, user.id, (await readable(tx, user, scenarioId)).scenario);
  }
  const end = async (why: string) =>
    new AppError('conflict', why, {
      extra: { ...(await toRunModel(tx, await endRun(tx, user.id, row, courseId, why))) },
    });
  if (isLate(row)) return end(TIME_IS_UP);
  if (version !== undefined && version !== row.version) {
    return {
      ...(await toRunModel(tx, row)),
      feedback: OUT_OF_DATE,
      kind: 'stale',
      acted: false,
      understoodAs: null,
      events: [],
    };
  }
  const engine = await engineOfRun(tx, row);
  const taken = await actionsOf(tx, row, engine);
  if (taken.length >= ACTIONS_MAX) return end('This run has reached its last action.');
  const before = row.engineRun as unknown as Run;
  const outcome = engine.act(before, action);
  taken.push(await logAction(tx, row, taken.length + 1, action, engine, outcome));
  if (!isActed(outcome)) return answered(tx, row, taken, outcome);
  const { run, feedback, events, title } = outcome;
  const [moved] = await tx
    .update(scenarioProgress)
    .set({
      currentState: run.state,
      engineRun: run as unknown as Record<string, unknown>,
      minutesSpent: run.minutes,
      score: engine.score(run),
      feedback,
      version: sql`${scenarioProgress.version} + 1`,
    })
    .where(eq(scenarioProgress.id, row.id))
    .returning(runColumns);
  const now = engine.isCompleted(run) ? await endRun(tx, user.id, moved!, courseId, feedback) : moved!;
  return {
    ...(await toRunModel(tx, now, taken)),
    kind: outcome.kind,
    acted: true,
    understoodAs: title,
    events: events.map((event) => event.feedback),
  };
}

async function answered(
  tx: Tx,
  row: RunRow,
  taken: TakenAction[],
  { kind, reply, run }: Exclude<Outcome, { ruleId: string }>,
): Promise<ActionResult | AppError> {
  const isSame = isDeepStrictEqual(run.asked, (row.engineRun as unknown as Run).asked);
  const [now] = isSame
    ? [row]
    : await tx
        .update(scenarioProgress)
        .set({
          engineRun: run as unknown as Record<string, unknown>,
          // Another window does not know what was asked.
          version: sql`${scenarioProgress.version} + 1`,
        })
        .where(eq(scenarioProgress.id, row.id))
        .returning(runColumns);
  const model = await toRunModel(tx, now!, taken);
  if (kind === 'unknown')
    return new AppError('not_understood', ACTION_FAILED.description, { extra: { ...model, reply } });
  return { ...model, feedback: reply, kind, acted: false, understoodAs: null, events: [] };
}

export const feedbackOf = (outcome: Outcome): string =>
  isActed(outcome)
    ? [outcome.feedback, ...outcome.events.map(({ feedback }) => feedback)].join('\n\n')
    : outcome.reply;

async function logAction(
  tx: Tx,
  row: RunRow,
  position: number,
  action: string,
  engine: Engine,
  outcome: Outcome,
): Promise<TakenAction> {
  const taken: TakenAction = {
    action,
    understoodAs: isActed(outcome) ? outcome.title : null,
    feedback: feedbackOf(outcome),
    score: engine.score(outcome.run),
  };
  await tx.insert(scenarioActions).values({
    progressId: row.id,
    position,
    action,
    rule: isActed(outcome) ? outcome.ruleId : null,
    feedback: taken.feedback,
    stateAfter: outcome.run.state,
    scoreAfter: taken.score,
  });
  return taken;
}
