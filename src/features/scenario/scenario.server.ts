import { doorColumns, givesAccess, LessonClosed, readerOf } from '#src/features/catalogue/access.server.ts';
import { and, asc, desc, eq, type SQL, sql } from 'drizzle-orm';
import { db, type Executor, prepared, type Tx } from '#db/client.ts';
import { jsonArray, jsonFields, jsonTime } from '#db/json.ts';
import { courses, lessons } from '#db/schema/catalogue.ts';
import { users } from '#db/schema/account.ts';
import { enrollments, lessonProgress, studyClocks } from '#db/schema/learn.ts';
import { scenarioActions, scenarioProgress, scenarios } from '#db/schema/scenario.ts';
import type { Viewer } from '#src/features/catalogue/catalogue.server.ts';
import { lockEnrollment, recordCompletion } from '#src/features/learn/progress/completion.server.ts';
import { isStaleVisit, visitLesson } from '#src/features/learn/classroom/classroom.server.ts';
import { changedSince } from '#src/features/learn/progress/enrollments.server.ts';
import { placeOfLesson } from '#src/features/learn/progress/next-step.server.ts';
import type { LessonPlace } from '#src/features/learn/progress/lesson-place.ts';
import { isForeignKeyViolation, retryOnConflict } from '#src/server/database-errors.ts';
import { AppError } from '#src/shared/errors.ts';
import { pick } from '#src/shared/pick.ts';
import type { Engine, Run } from './engine.ts';
import { PASS_SCORE, type ScenarioTime, SCENARIO_TIMES, secondsFor } from './limits.ts';
import type { RunModel, ScenarioModel, TakenAction } from './schema.ts';
import { SCENARIO_NOT_FOUND, TIME_IS_UP } from './texts.ts';
import { refusalOf } from '#src/features/store/orders/ended-access.server.ts';
import { type RunRow, type ScenarioRow, engineFor, enginesOfRuns, runColumns } from './engines.server.ts';

export type SignedIn = NonNullable<Viewer>;

/** An action on its way still counts so long after the deadline (decision 51). */
const GRACE_SECONDS = 5;
/** A double click, a retry. */
const SAME_START_SECONDS = 10;

export const notFound = () => new AppError('not_found', SCENARIO_NOT_FOUND);

/** The id of the course that a scenario is of, where this viewer may see it (decision 32). */
export async function reach(executor: Executor, viewer: Viewer, id: number): Promise<number> {
  const [row] = await executor
    .select(doorColumns)
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
  return row.courseId;
}

/** The same with the scenario itself, else not_found with the text of spec 8. */
export async function readable(
  executor: Executor,
  viewer: Viewer,
  id: number,
): Promise<{ scenario: ScenarioRow; courseId: number }> {
  const courseId = await reach(executor, viewer, id);
  const [scenario] = await executor.select().from(scenarios).where(eq(scenarios.id, id));
  if (!scenario) throw notFound();
  return { scenario, courseId };
}

export function engineOf(scenario: Pick<ScenarioRow, 'definition'>): Engine {
  return engineFor(scenario.definition);
}

/** The engine of a run: that of the scenario as it was when the run began. */
export async function engineOfRun(executor: Executor, run: RunRow): Promise<Engine> {
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

export const situationOf = (engine: Engine, run: Run) => ({
  panels: engine.panels(run),
  goals: engine.goals(run),
  minutes: run.minutes,
  score: engine.score(run),
});

const actionColumns = pick(scenarioActions, ['action', 'rule', 'feedback', 'scoreAfter']);

type StoredAction = Pick<typeof scenarioActions.$inferSelect, keyof typeof actionColumns>;

function takenOf(engine: Engine, stored: readonly StoredAction[]): TakenAction[] {
  const titles = new Map(engine.scenario.rules.map(({ id, title }) => [id, title]));
  return stored.map(({ action, rule, feedback, scoreAfter }) => ({
    action,
    understoodAs: rule === null ? null : (titles.get(rule) ?? rule),
    feedback,
    score: scoreAfter,
  }));
}

export async function actionsOf(executor: Executor, run: RunRow, engine: Engine): Promise<TakenAction[]> {
  const rows = await executor
    .select(actionColumns)
    .from(scenarioActions)
    .where(eq(scenarioActions.progressId, run.id))
    .orderBy(asc(scenarioActions.position));
  return takenOf(engine, rows);
}

export async function toRunModel(executor: Executor, run: RunRow, taken?: TakenAction[]): Promise<RunModel> {
  const engine = await engineOfRun(executor, run);
  const state = run.engineRun as unknown as Run;
  return {
    runId: run.id,
    startedAt: run.startedAt.toISOString(),
    time: run.time,
    deadline: run.deadline?.toISOString() ?? null,
    secondsLeft: run.completed
      ? 0
      : run.deadline && Math.max(0, Math.ceil((run.deadline.getTime() - Date.now()) / 1000)),
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

const ofViewer = sql`${scenarioProgress.userId} = ${sql.placeholder('viewerId')} and ${scenarioProgress.scenarioId} = ${scenarios.id}`;

interface PastRun {
  runId: number;
  score: number;
  passed: boolean;
  startedAt: string;
}

const scenarioForViewer = prepared((database) =>
  database
    .select({
      ...doorColumns,
      courseTitle: courses.title,
      scenario: pick(scenarios, ['id', 'lessonId', 'definition']),
      time: users.scenarioTime,
      notes: { text: lessonProgress.notes, version: lessonProgress.notesVersion },
      changedAt: changedSince,
      isStale: isStaleVisit,
      run: runColumns,
      taken: jsonArray(sql`
        select ${jsonFields(actionColumns)} from ${scenarioActions}
        where ${scenarioActions.progressId} = ${scenarioProgress.id}
        order by ${scenarioActions.position}`) as SQL<StoredAction[]>,
      own: sql<Pick<ScenarioModel, 'runs' | 'bestScore' | 'passed'>>`(
        select json_build_object('runs', count(*),
          'bestScore', max(${scenarioProgress.score}) filter (where ${scenarioProgress.completed}),
          'passed', coalesce(bool_or(${scenarioProgress.passed}), false))
        from ${scenarioProgress} where ${ofViewer})`,
      past: jsonArray(sql`
        select ${jsonFields({
          runId: scenarioProgress.id,
          score: scenarioProgress.score,
          passed: scenarioProgress.passed,
          startedAt: jsonTime(scenarioProgress.startedAt),
        })}
        from ${scenarioProgress} where ${ofViewer} and ${scenarioProgress.completed}
        order by ${scenarioProgress.startedAt} desc limit 20`) as SQL<PastRun[]>,
    })
    .from(scenarios)
    .innerJoin(lessons, eq(lessons.id, scenarios.lessonId))
    .innerJoin(courses, eq(courses.id, lessons.courseId))
    .leftJoin(users, eq(users.id, sql.placeholder('viewerId')))
    .leftJoin(studyClocks, eq(studyClocks.userId, users.id))
    .leftJoin(enrollments, givesAccess(users.id, courses.id))
    .leftJoin(
      lessonProgress,
      and(eq(lessonProgress.lessonId, lessons.id), eq(lessonProgress.userId, users.id)),
    )
    .leftJoin(scenarioProgress, and(ofViewer, eq(scenarioProgress.completed, false)))
    .where(eq(scenarios.id, sql.placeholder('id')))
    .prepare('scenario_for_viewer'),
);

type SeenScenario = Awaited<ReturnType<ReturnType<typeof scenarioForViewer>['execute']>>[number];

async function readScenario(viewer: Viewer, id: number): Promise<SeenScenario> {
  // No account has id 0.
  const [row] = await scenarioForViewer().execute({ id, viewerId: viewer?.id ?? 0 });
  if (!row || readerOf(row, viewer) === null) {
    throw await refusalOf(viewer?.id, { scenarioId: id }, notFound());
  }
  if (!viewer || !row.run || !isOver(row.run)) return row;
  await endLateRun(viewer.id, id, row.courseId);
  return readScenario(viewer, id);
}

/** A scenario as its viewer may see it, with their open run. @throws {AppError} not_found */
export async function getScenario(viewer: Viewer, id: number): Promise<ScenarioModel> {
  return toScenarioModel(await readScenario(viewer, id));
}

async function toScenarioModel({
  scenario,
  courseId,
  time,
  run,
  taken,
  own,
}: SeenScenario): Promise<ScenarioModel> {
  const engine = engineOf(scenario);
  const begin = engine.begin();
  const { title, description, type, goals, resources, timeLimit, difficulty } = engine.scenario;
  return {
    id: scenario.id,
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
    time: time ?? 'usual',
    difficulty,
    panels: engine.panels(begin),
    run: run && (await toRunModel(db(), run, takenOf(await engineOfRun(db(), run), taken))),
    ...own,
  };
}

/** What the page of a scenario needs beside it: its course, the lessons before and after, and past runs, newest first. */
export async function findScenarioPage(
  viewer: Viewer,
  id: number,
): Promise<
  | {
      scenario: ScenarioModel;
      course: { id: number; title: string };
      enrolled: boolean;
      place: LessonPlace | null;
      own: { userId: number; notes: { text: string; version: number } } | null;
      past: PastRun[];
    }
  | { elsewhere: string }
  | null
> {
  try {
    const row = await readScenario(viewer, id);
    const { courseId, changedAt, notes, past } = row;
    const { lessonId } = row.scenario;
    const learner = row.enrollmentId !== null ? viewer : null;
    const [scenario, place] = await Promise.all([
      toScenarioModel(row),
      learner && placeOfLesson(learner.id, lessonId),
      learner && (row.isStale || changedAt) ? visitLesson(learner.id, courseId, lessonId, changedAt) : null,
    ]);
    return {
      scenario,
      course: { id: courseId, title: row.courseTitle },
      enrolled: learner !== null,
      // The visit may have been written before.
      place: place && { ...place, changedAt },
      own: learner && { userId: learner.id, notes: notes ?? { text: '', version: 0 } },
      past,
    };
  } catch (error) {
    if (error instanceof LessonClosed) return { elsewhere: error.href };
    if (error instanceof AppError && error.code === 'not_found') return null;
    throw error;
  }
}

export async function openRun(
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
export async function lastRun(
  executor: Executor,
  userId: number,
  scenarioId: number,
): Promise<RunRow | undefined> {
  const [run] = await executor
    .select(runColumns)
    .from(scenarioProgress)
    .where(and(eq(scenarioProgress.userId, userId), eq(scenarioProgress.scenarioId, scenarioId)))
    .orderBy(desc(scenarioProgress.id))
    .limit(1);
  return run;
}

/**
 * Starts a run (decision 51): the server's clock runs from now.
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

export async function beginRun(
  tx: Tx,
  userId: number,
  scenario: Awaited<ReturnType<typeof readable>>['scenario'],
): Promise<RunRow> {
  const engine = engineOf(scenario);
  const run = engine.begin();
  const time = await timeOf(tx, userId);
  const [row] = await tx
    .insert(scenarioProgress)
    .values({
      userId,
      scenarioId: scenario.id,
      currentState: run.state,
      engineRun: run as unknown as Record<string, unknown>,
      definition: scenario.definition,
      startedAt: sql`clock_timestamp()`,
      time,
      deadline: sql`clock_timestamp() + make_interval(secs => ${secondsFor(engine.scenario.timeLimit, time)})`,
    })
    .returning(runColumns);
  return row!;
}

async function timeOf(executor: Executor, userId: number): Promise<ScenarioTime> {
  const [user] = await executor.select({ time: users.scenarioTime }).from(users).where(eq(users.id, userId));
  return user?.time ?? 'usual';
}

/**
 * Keeps how much of a scenario's time a learner is given (decision 126).
 * @throws {AppError} not_found without access
 */
export async function chooseTime(
  user: SignedIn,
  id: number,
  time: ScenarioTime,
): Promise<{ time: ScenarioTime; run: RunModel | null }> {
  const courseId = await reach(db(), user, id);
  await endLateRun(user.id, id, courseId);
  return retryOnConflict(() =>
    db().transaction(async (tx) => {
      await lockRuns(tx, user.id, id, courseId);
      await tx.update(users).set({ scenarioTime: time }).where(eq(users.id, user.id));
      const open = await openRun(tx, user.id, id, true);
      if (!open) return { time, run: null };
      const isLonger = SCENARIO_TIMES.indexOf(time) > SCENARIO_TIMES.indexOf(open.time);
      if (!isLonger || isOver(open)) return { time, run: await toRunModel(tx, open) };
      const { timeLimit } = (await engineOfRun(tx, open)).scenario;
      const [longer] = await tx
        .update(scenarioProgress)
        .set({
          time,
          deadline: sql`${scenarioProgress.startedAt} + make_interval(secs => ${secondsFor(timeLimit, time)})`,
        })
        .where(eq(scenarioProgress.id, open.id))
        .returning(runColumns);
      return { time, run: await toRunModel(tx, longer!) };
    }),
  );
}

/** A run without an action is removed at the next start. */
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
export async function lockRuns(tx: Tx, userId: number, scenarioId: number, courseId: number): Promise<void> {
  await lockEnrollment(tx, userId, courseId);
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`scenario:${userId}:${scenarioId}`}, 0))`,
  );
}

/** Closes a run with the score it has; a passing one completes the lesson of an enrolled learner (decision 53). */
export async function endRun(
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

export const isLate = ({ deadline }: RunRow) =>
  deadline !== null && Date.now() > deadline.getTime() + GRACE_SECONDS * 1000;

// Looking ends a run at its deadline; the seconds of grace are for an action that was on its way.
const isOver = ({ deadline }: RunRow) => deadline !== null && Date.now() >= deadline.getTime();

async function endLateRun(userId: number, scenarioId: number, courseId: number): Promise<void> {
  await db().transaction(async (tx) => {
    await lockRuns(tx, userId, scenarioId, courseId);
    const run = await openRun(tx, userId, scenarioId, true);
    if (run && isOver(run)) await endRun(tx, userId, run, courseId, TIME_IS_UP);
  });
}
