import { createHash } from 'node:crypto';
import { doorColumns, givesAccess, LessonClosed, readerOf } from '#src/features/catalogue/access.server.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { and, asc, desc, eq, getTableColumns, sql } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import { db, type Executor, type Tx } from '#db/client.ts';
import { courses, lessons } from '#db/schema/catalogue.ts';
import { enrollments } from '#db/schema/learn.ts';
import { scenarioActions, scenarioProgress, scenarios } from '#db/schema/scenario.ts';
import type { Viewer } from '#src/features/catalogue/catalogue.server.ts';
import {
  lockEnrollment,
  openLesson,
  placeOfLesson,
  recordCompletion,
} from '#src/features/learn/progress/learn.server.ts';
import type { LessonPlace } from '#src/features/learn/progress/lesson-place.ts';
import { isForeignKeyViolation, retryOnConflict } from '#src/server/database-errors.ts';
import { log } from '#src/server/log.ts';
import { AppError } from '#src/shared/errors.ts';
import { checkInThread } from './check.server.ts';
import { Engine, isActed, type Outcome, type Run } from './engine.ts';
import { PASS_SCORE } from './limits.ts';
import { scenarioDefinition } from './scenario.ts';
import type {
  ActionResult,
  executeActionCall,
  ReplayStep,
  RunModel,
  RunReplay,
  ScenarioModel,
  TakenAction,
  whatIfCall,
} from './schema.ts';
import { ACTION_FAILED, RUN_ENDED, OUT_OF_DATE, SCENARIO_NOT_FOUND, TIME_IS_UP } from './texts.ts';
import { refusalOf } from '#src/features/store/orders/ended-access.server.ts';
import { setSolution } from '#src/features/lessons/lesson-store.server.ts';

type SignedIn = NonNullable<Viewer>;

/** Seconds after the deadline in which an action that was on its way still counts (decision 51). */
const GRACE_SECONDS = 5;
/** A start that is repeated this soon, before any action, is the same start: a double click, a retry. */
const SAME_START_SECONDS = 10;
/** Actions of one run at most; whoever needs more is not thinking any more. */
const ACTIONS_MAX = 500;

/** Engines by the definition they are made of: making one reads the whole dictionary, and runs share theirs. */
const engines = new LRUCache<string, Engine>({ max: 50 });
/** Those of runs; a run's definition never changes, and is read once. */
const enginesOfRuns = new LRUCache<number, Engine>({ max: 2000 });

function engineFor(definition: unknown): Engine {
  const key = createHash('sha256').update(JSON.stringify(definition)).digest('base64');
  let engine = engines.get(key);
  if (!engine) {
    engine = new Engine(scenarioDefinition.parse(definition));
    engines.set(key, engine);
  }
  return engine;
}

/** Searches for the best way that are under way, by scenario and version. */
const searches = new Map<string, Promise<BestWay | null>>();
type BestWay = { actions: string[]; minutes: number };

/** The best known way through a scenario; searched for once for each version, in a thread of its own, and kept. */
async function bestWay(scenario: ScenarioRow): Promise<BestWay | null> {
  const { id, version, solution } = scenario;
  if (solution?.version === version) return { actions: solution.actions, minutes: solution.minutes };
  const key = `${id}:${version}`;
  const running = searches.get(key);
  if (running) return running;
  const search = searched(scenario.definition)
    .then(async (found) => {
      if (!found) return null;
      await setSolution(db(), id, { version, ...found });
      return found;
    })
    .catch((error: unknown) => {
      log.error({ err: error, scenarioId: id }, 'the best way through a scenario was not found');
      return null;
    })
    .finally(() => searches.delete(key));
  searches.set(key, search);
  return search;
}

async function searched(definition: unknown): Promise<BestWay | null> {
  const { solution, minutes } = await checkInThread(definition);
  return solution && minutes !== null ? { actions: solution, minutes } : null;
}

type ScenarioRow = typeof scenarios.$inferSelect;
/** A run without its definition, which is large and stays as it is. */
const { definition: _definition, ...runColumns } = getTableColumns(scenarioProgress);
type RunRow = Omit<typeof scenarioProgress.$inferSelect, 'definition'>;

const notFound = () => new AppError('not_found', SCENARIO_NOT_FOUND);

/** Which course a scenario is of, where this viewer may see it (decision 32); forbidden where it is not open to them yet. */
async function reach(
  executor: Executor,
  viewer: Viewer,
  id: number,
): Promise<{ courseId: number; courseTitle: string; enrolled: boolean }> {
  const [row] = await executor
    .select({
      ...doorColumns,
      courseTitle: courses.title,
    })
    .from(scenarios)
    .innerJoin(lessons, eq(lessons.id, scenarios.lessonId))
    .innerJoin(courses, eq(courses.id, lessons.courseId))
    .leftJoin(
      enrollments,
      // No account has id 0, so that a visitor is enrolled nowhere.
      givesAccess(viewer?.id ?? 0, courses.id),
    )
    .where(eq(scenarios.id, id));
  if (!row || readerOf(row, viewer) === null) {
    throw await refusalOf(viewer?.id, { scenarioId: id }, notFound(), executor);
  }
  return { courseId: row.courseId, courseTitle: row.courseTitle, enrolled: row.enrollmentId !== null };
}

/** The same with the scenario itself, else not_found with the text of spec 8. */
async function readable(
  executor: Executor,
  viewer: Viewer,
  id: number,
): Promise<{ scenario: ScenarioRow; courseId: number; courseTitle: string; enrolled: boolean }> {
  const found = await reach(executor, viewer, id);
  const [scenario] = await executor.select().from(scenarios).where(eq(scenarios.id, id));
  if (!scenario) throw notFound();
  return { scenario, ...found };
}

function engineOf(scenario: ScenarioRow): Engine {
  return engineFor(scenario.definition);
}

/** The engine of a run: that of the scenario as it was when the run began. */
async function engineOfRun(executor: Executor, run: RunRow): Promise<Engine> {
  const known = enginesOfRuns.get(run.id);
  if (known) return known;
  const [row] = await executor
    .select({ definition: scenarioProgress.definition })
    .from(scenarioProgress)
    .where(eq(scenarioProgress.id, run.id));
  if (!row) throw notFound();
  const engine = engineFor(row.definition);
  enginesOfRuns.set(run.id, engine);
  return engine;
}

const situationOf = (engine: Engine, run: Run) => ({
  panels: engine.panels(run),
  goals: engine.goals(run),
  minutes: run.minutes,
  score: engine.score(run),
});

async function actionsOf(executor: Executor, run: RunRow, engine: Engine): Promise<TakenAction[]> {
  const rows = await executor
    .select({
      action: scenarioActions.action,
      rule: scenarioActions.rule,
      feedback: scenarioActions.feedback,
      scoreAfter: scenarioActions.scoreAfter,
    })
    .from(scenarioActions)
    .where(eq(scenarioActions.progressId, run.id))
    .orderBy(asc(scenarioActions.position));
  const titles = new Map(engine.scenario.rules.map(({ id, title }) => [id, title]));
  return rows.map(({ action, rule, feedback, scoreAfter }) => ({
    action,
    understoodAs: rule === null ? null : (titles.get(rule) ?? rule),
    feedback,
    score: scoreAfter,
  }));
}

async function toRunModel(executor: Executor, run: RunRow, taken?: TakenAction[]): Promise<RunModel> {
  const engine = await engineOfRun(executor, run);
  const state = run.engineRun as unknown as Run;
  return {
    runId: run.id,
    startedAt: run.startedAt.toISOString(),
    deadline: run.deadline.toISOString(),
    secondsLeft: run.completed ? 0 : Math.max(0, Math.ceil((run.deadline.getTime() - Date.now()) / 1000)),
    newState: state.state,
    version: run.version,
    actionsTaken: taken ?? (await actionsOf(executor, run, engine)),
    completed: run.completed,
    passed: run.passed,
    feedback: run.feedback,
    asked: run.completed ? [] : engine.askedTitles(state),
    ...situationOf(engine, state),
  };
}

/**
 * A scenario as its viewer may see it, with their open run. A run whose time is over ends here.
 *
 * @throws {AppError} not_found for scenarios out of reach as for those that do not exist
 */
export async function getScenario(viewer: Viewer, id: number): Promise<ScenarioModel> {
  return toScenarioModel(viewer, await readable(db(), viewer, id));
}

async function toScenarioModel(
  viewer: Viewer,
  { scenario, courseId }: Awaited<ReturnType<typeof readable>>,
): Promise<ScenarioModel> {
  const { id } = scenario;
  const engine = engineOf(scenario);
  if (viewer) await endLateRun(viewer.id, id);
  const [own] = viewer
    ? await db()
        .select({
          runs: sql<number>`count(*)::int`,
          bestScore: sql<
            number | null
          >`max(${scenarioProgress.score}) filter (where ${scenarioProgress.completed})`,
          passed: sql<boolean>`coalesce(bool_or(${scenarioProgress.passed}), false)`,
        })
        .from(scenarioProgress)
        .where(and(eq(scenarioProgress.userId, viewer.id), eq(scenarioProgress.scenarioId, id)))
    : [];
  const open = viewer ? await openRun(db(), viewer.id, id) : undefined;
  const begin = engine.begin();
  const { title, description, type, goals, resources, timeLimit, difficulty } = engine.scenario;
  return {
    id,
    lessonId: scenario.lessonId,
    courseId,
    title,
    description,
    scenario_type: type,
    initial_state: begin.state,
    goals: goals.map(({ id: goalId, title: goalTitle, weight, required }) => ({
      id: goalId,
      title: goalTitle,
      weight,
      required,
    })),
    resources,
    time_limit: timeLimit,
    difficulty,
    panels: engine.panels(begin),
    run: open ? await toRunModel(db(), open) : null,
    bestScore: own?.bestScore ?? null,
    passed: own?.passed ?? false,
    runs: own?.runs ?? 0,
  };
}

/** What the page of a scenario needs beside it: its course and the lessons before and after. */
export async function findScenarioPage(
  viewer: Viewer,
  id: number,
): Promise<
  | {
      scenario: ScenarioModel;
      course: { id: number; title: string };
      enrolled: boolean;
      /** For those who are enrolled. */
      place: LessonPlace | null;
    }
  | { elsewhere: string }
  | null
> {
  try {
    const found = await readable(db(), viewer, id);
    const { courseId, courseTitle, enrolled } = found;
    if (viewer && enrolled) await openLesson(viewer.id, courseId, found.scenario.lessonId);
    return {
      scenario: await toScenarioModel(viewer, found),
      course: { id: courseId, title: courseTitle },
      enrolled,
      place: viewer && enrolled ? await placeOfLesson(viewer.id, courseId, found.scenario.lessonId) : null,
    };
  } catch (error) {
    if (error instanceof LessonClosed) return { elsewhere: error.href };
    if (error instanceof AppError && error.code === 'not_found') return null;
    throw error;
  }
}

async function openRun(
  executor: Executor,
  userId: number,
  scenarioId: number,
  lock = false,
): Promise<RunRow | undefined> {
  const query = executor
    .select(runColumns)
    .from(scenarioProgress)
    .where(
      and(
        eq(scenarioProgress.userId, userId),
        eq(scenarioProgress.scenarioId, scenarioId),
        eq(scenarioProgress.completed, false),
      ),
    );
  const [run] = lock ? await query.for('update') : await query;
  return run;
}

/** The caller's newest run of a scenario, which may have ended; undefined where there was none. */
async function lastRun(executor: Executor, userId: number, scenarioId: number): Promise<RunRow | undefined> {
  const [run] = await executor
    .select(runColumns)
    .from(scenarioProgress)
    .where(and(eq(scenarioProgress.userId, userId), eq(scenarioProgress.scenarioId, scenarioId)))
    .orderBy(desc(scenarioProgress.id))
    .limit(1);
  return run;
}

/**
 * Starts a run (decision 51): the server's clock runs from now. An open run ends with the score it has; repeated at
 * once, it is the same start.
 *
 * @throws {AppError} not_found without access
 */
export async function startScenario(user: SignedIn, id: number): Promise<RunModel> {
  try {
    return await retryOnConflict(() =>
      db().transaction(async (tx) => {
        const { scenario, courseId } = await readable(tx, user, id);
        await lockRuns(tx, user.id, id, courseId);
        const open = await openRun(tx, user.id, id, true);
        if (open) {
          const age = (Date.now() - open.startedAt.getTime()) / 1000;
          if (open.version === 0 && age < SAME_START_SECONDS) return toRunModel(tx, open);
          await endRun(tx, user.id, open, courseId, open.feedback);
        }
        await forgetIdleRuns(tx, user.id, id);
        return toRunModel(tx, await beginRun(tx, user.id, scenario));
      }),
    );
  } catch (error) {
    if (isForeignKeyViolation(error)) throw notFound();
    throw error;
  }
}

async function beginRun(
  tx: Tx,
  userId: number,
  scenario: Awaited<ReturnType<typeof readable>>['scenario'],
): Promise<RunRow> {
  const engine = engineOf(scenario);
  const run = engine.begin();
  const [row] = await tx
    .insert(scenarioProgress)
    .values({
      userId,
      scenarioId: scenario.id,
      currentState: run.state,
      engineRun: run as unknown as Record<string, unknown>,
      definition: scenario.definition,
      startedAt: sql`clock_timestamp()`,
      deadline: sql`clock_timestamp() + make_interval(mins => ${engine.scenario.timeLimit})`,
    })
    .returning(runColumns);
  return row!;
}

/** Runs in which nothing was ever done say nothing to anybody: the next start takes them away. */
async function forgetIdleRuns(tx: Tx, userId: number, scenarioId: number): Promise<void> {
  await tx
    .delete(scenarioProgress)
    .where(
      and(
        eq(scenarioProgress.userId, userId),
        eq(scenarioProgress.scenarioId, scenarioId),
        eq(scenarioProgress.completed, true),
        eq(scenarioProgress.passed, false),
        sql`not exists (select from ${scenarioActions} where ${scenarioActions.progressId} = ${scenarioProgress.id})`,
      ),
    );
}

/** Starts, actions and ends of one learner in one scenario follow each other; progress is locked first (fault S5). */
async function lockRuns(tx: Tx, userId: number, scenarioId: number, courseId: number): Promise<void> {
  await lockEnrollment(tx, userId, courseId);
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`scenario:${userId}:${scenarioId}`}, 0))`,
  );
}

/** Closes a run with the score it has; a passing one completes the lesson of an enrolled learner (decision 53). */
async function endRun(
  tx: Tx,
  userId: number,
  run: RunRow,
  courseId: number,
  feedback: string,
): Promise<RunRow> {
  const score = (await engineOfRun(tx, run)).score(run.engineRun as unknown as Run);
  const passed = score >= PASS_SCORE;
  const [ended] = await tx
    .update(scenarioProgress)
    .set({ completed: true, completedAt: sql`clock_timestamp()`, score, passed, feedback })
    .where(eq(scenarioProgress.id, run.id))
    .returning(runColumns);
  if (passed && (await lockEnrollment(tx, userId, courseId))) {
    const [scenario] = await tx
      .select({ lessonId: scenarios.lessonId })
      .from(scenarios)
      .where(eq(scenarios.id, run.scenarioId));
    await recordCompletion(tx, { userId, courseId, lessonId: scenario!.lessonId, score });
  }
  return ended!;
}

const isLate = (run: RunRow) => Date.now() > run.deadline.getTime() + GRACE_SECONDS * 1000;

// Looking ends a run at its deadline; the seconds of grace are for an action that was on its way.
const isOver = (run: RunRow) => Date.now() >= run.deadline.getTime();

/** Ends the open run whose time is over. */
async function endLateRun(userId: number, scenarioId: number): Promise<void> {
  const open = await openRun(db(), userId, scenarioId);
  if (!open || !isOver(open)) return;
  await db().transaction(async (tx) => {
    const courseId = await courseOf(tx, scenarioId);
    await lockRuns(tx, userId, scenarioId, courseId);
    const run = await openRun(tx, userId, scenarioId, true);
    if (run && isOver(run)) await endRun(tx, userId, run, courseId, TIME_IS_UP);
  });
}

async function courseOf(tx: Tx, scenarioId: number): Promise<number> {
  const [row] = await tx
    .select({ courseId: lessons.courseId })
    .from(scenarios)
    .innerJoin(lessons, eq(lessons.id, scenarios.lessonId))
    .where(eq(scenarios.id, scenarioId));
  if (!row) throw notFound();
  return row.courseId;
}

type ActionRequest = z.output<NonNullable<typeof executeActionCall.input>>;

/**
 * Does one action in the caller's open run (spec 7, decisions 51–53, 95). Every action is stored, also one that meant
 * nothing known. A refusal carries the run as it is, too.
 *
 * @throws {AppError} not_found without access; conflict where no run is open or its time is over; not_understood with
 *   the text of spec 8, and an answer in character as `reply`, where the words mean nothing known
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
  const { courseId } = await reach(tx, user, scenarioId);
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

/** An answer to words that nothing was done for. What was asked is kept with the run: "yes" may follow. */
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
          // Another window does not know what was asked: it is shown first.
          version: sql`${scenarioProgress.version} + 1`,
        })
        .where(eq(scenarioProgress.id, row.id))
        .returning(runColumns);
  const model = await toRunModel(tx, now!, taken);
  if (kind === 'unknown')
    return new AppError('not_understood', ACTION_FAILED.description, { extra: { ...model, reply } });
  return { ...model, feedback: reply, kind, acted: false, understoodAs: null, events: [] };
}

/** What a learner reads of an outcome. */
const feedbackOf = (outcome: Outcome): string =>
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

/** A finished run of the caller's, with the scenario's row. */
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

/** Actions after which a replay lets others have the processor: the longest run has hundreds. */
const PLAYED_AT_ONCE = 10;

/** An action of a run as it was stored. */
interface Stored {
  action: string;
  /** Null where nothing was done for it. */
  rule: string | null;
  feedback: string;
}

/**
 * Plays stored actions from the beginning by the rules that they were taken for, so that a run stays what it was when
 * more words are understood; then further texts by their words. The same steps come out, always.
 */
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

/**
 * A finished run, played again from its stored actions, beside the best known way.
 *
 * @throws {AppError} not_found for a run of somebody else, of another scenario, or one that is still open
 */
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

/**
 * Tries on from a step of a finished run: practice, neither stored nor scored.
 *
 * @param keep how many of the run's actions stay
 */
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

/** The caller's finished runs, newest first. */
export async function listRuns(user: SignedIn, scenarioId: number) {
  await reach(db(), user, scenarioId);
  return db()
    .select({
      runId: scenarioProgress.id,
      score: scenarioProgress.score,
      passed: scenarioProgress.passed,
      startedAt: scenarioProgress.startedAt,
    })
    .from(scenarioProgress)
    .where(
      and(
        eq(scenarioProgress.userId, user.id),
        eq(scenarioProgress.scenarioId, scenarioId),
        eq(scenarioProgress.completed, true),
      ),
    )
    .orderBy(desc(scenarioProgress.startedAt))
    .limit(20);
}
