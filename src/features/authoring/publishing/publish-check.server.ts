import { and, asc, desc, eq, inArray, ne, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Tx } from '#db/client.ts';
import {
  type PublishFinding,
  type PublishWish,
  publishChecks,
  publishRuns,
  lessons,
} from '#db/schema/catalogue.ts';
import { type Actor, recordAudit } from '#src/features/account/audit.server.ts';
import { outlinesOf, seenOf } from '#src/features/authoring/changes/changes.server.ts';
import { lessonsToProve, publishCopy } from '#src/features/authoring/changes/switch.server.ts';
import { isLesson, lockWorking, type WorkingCourse } from '#src/features/lessons/working-copy.server.ts';
import { lockCourse } from '#src/features/lessons/lesson-store.server.ts';
import { seedGroups, type WrongProgram } from '#src/features/practice/groups/groups.server.ts';
import { isForeignKeyViolation, retryOnConflict } from '#src/server/database-errors.ts';
import { type JobDefinition, sendJob } from '#src/server/jobs.ts';
import { log } from '#src/server/log.ts';
import { AppError } from '#src/shared/errors.ts';
import { checkCourseFields } from './check-course.server.ts';
import { forgetMendedLinks, keyOf } from './dead-links.server.ts';
import { mayLetPass, renewOverrides, settleLesson, writeOverride } from './finding-overrides.server.ts';
import { type CheckedLesson, finding, readLesson } from './lesson-check.server.ts';
import { mailUnproven } from './unproven-mail.server.ts';
import { placesOf, proveLesson } from './check-lessons.server.ts';
import type { PublishReport } from './publish-check.ts';
import { publishReport } from './publish-report.server.ts';

const RUNS_KEPT = 5;
/** Minutes without progress after which a run counts as lost. */
const STANDSTILL_MINUTES = 3;
const lessonJobData = z.object({ runId: z.number(), lessonId: z.number() });

export const lessonJob: JobDefinition<typeof lessonJobData> = {
  name: 'publish-check.lesson',
  data: lessonJobData,
  retries: 3,
  retryDelaySeconds: 2,
  leaseSeconds: 60,
  // The judge's places for each language: a learner waits for one lesson at most.
  parallel: 2,
  run: ({ runId, lessonId }, { isLast }) => checkLesson(runId, lessonId, isLast),
};

export const resumeJob: JobDefinition<z.ZodOptional<z.ZodUnknown>> = {
  name: 'publish-check.resume',
  data: z.unknown().optional(),
  retries: 1,
  retryDelaySeconds: 5,
  leaseSeconds: 60,
  atStart: true,
  run: resumePublishChecks,
};

/** Sends the jobs again whose process ended. */
export async function resumePublishChecks(): Promise<void> {
  const open = await db()
    .select({ runId: publishChecks.runId, lessonId: publishChecks.lessonId })
    .from(publishChecks)
    .innerJoin(publishRuns, eq(publishRuns.id, publishChecks.runId))
    .where(and(eq(publishRuns.status, 'running'), eq(publishChecks.status, 'running')));
  for (const data of open) await sendJob(db(), lessonJob, data);
}

/**
 * Begins a check of a course as learners have it, audited; joins a run under way.
 * @param isTold whether findings go by mail, as no page watches
 * @throws {AppError} not_found
 */
export async function startPublishCheck(
  actor: Actor,
  courseId: number,
  { isTold = false }: { isTold?: boolean } = {},
): Promise<PublishReport> {
  await retryOnConflict(() =>
    db().transaction(async (tx) => {
      const { title } = await lockCourse(tx, courseId);
      await beginRun(tx, actor, { id: courseId, courseId, title }, { isTold });
    }),
  );
  return publishReport(courseId);
}

/**
 * As `startPublishCheck`, of the course as it is worked on.
 * @throws {AppError} not_found
 */
export async function startWorkingCheck(actor: Actor, courseId: number): Promise<PublishReport> {
  await retryOnConflict(() =>
    db().transaction(async (tx) => {
      const working = await lockWorking(tx, courseId);
      if (!working) throw new AppError('not_found', 'Course not found');
      await beginRun(tx, actor, working);
    }),
  );
  return publishReport(courseId);
}

/**
 * Publishes the changes that were seen (decision 119): at once where all are proven, else after a run without
 * faults. Audited.
 * @param wish lessons by the ids that authors know
 * @throws {AppError} not_found; conflict without changes, for other changes than seen, and during a check
 */
export async function publishChanges(
  actor: Actor,
  courseId: number,
  wish: PublishWish,
): Promise<PublishReport> {
  await retryOnConflict(() =>
    db().transaction(async (tx) => {
      const working = await lockWorking(tx, courseId);
      if (!working) throw new AppError('not_found', 'Course not found');
      if (working.id === courseId)
        throw new AppError(
          'conflict',
          'No change waits to be published. They may have been published already.',
        );
      if (seenOf(await outlinesOf(courseId, working.id, tx)) !== wish.seen) {
        const message =
          'Somebody has changed the course since you looked. Look at the changes again before you publish them.';
        throw new AppError('conflict', message);
      }
      const open = (await lessonsToProve(working, tx)).filter(({ isOpen }) => isOpen);
      if (open.length === 0) await publishCopy(tx, actor, working, wish);
      else if (!(await beginRun(tx, actor, working, { publishes: wish, only: open.map(({ id }) => id) }))) {
        throw new AppError('conflict', 'A check of this course is under way. Publish when it has ended.');
      }
    }),
  );
  return publishReport(courseId);
}

interface RunOptions {
  isTold?: boolean;
  /** Published where the run finds no fault. */
  publishes?: PublishWish;
  only?: readonly number[];
}

/** False where a run is under way. The caller locks the course. */
async function beginRun(
  tx: Tx,
  actor: Actor,
  { id: courseId, courseId: ownId, title }: WorkingCourse,
  { isTold = false, publishes, only }: RunOptions = {},
): Promise<boolean> {
  const [open] = await tx
    .select({
      id: publishRuns.id,
      stands: sql<boolean>`${publishRuns.movedAt} < now() - make_interval(mins => ${STANDSTILL_MINUTES})`,
    })
    .from(publishRuns)
    .where(and(eq(publishRuns.courseId, courseId), eq(publishRuns.status, 'running')));
  if (open && !open.stands) return false;
  if (open) {
    await tx
      .update(publishRuns)
      .set({ status: 'abandoned', finishedAt: sql`now()` })
      .where(eq(publishRuns.id, open.id));
  }
  const rows = await tx
    .select({ lessonId: lessons.id, revision: lessons.revision })
    .from(lessons)
    .where(and(eq(lessons.courseId, courseId), only ? inArray(lessons.id, [...only]) : undefined))
    .orderBy(asc(lessons.order), asc(lessons.id));
  const [run] = await tx
    .insert(publishRuns)
    .values({
      courseId,
      startedBy: actor.id,
      startedByName: actor.name,
      isTold,
      publishes,
      ...(rows.length === 0 ? { status: 'finished' as const, finishedAt: sql`now()` } : {}),
    })
    .returning({ id: publishRuns.id });
  const runId = run!.id;
  if (rows.length > 0) await tx.insert(publishChecks).values(rows.map((row) => ({ runId, ...row })));
  if (only) {
    // What was found in the other lessons counts on.
    await tx.execute(sql`
      insert into ${publishChecks} (run_id, lesson_id, status, revision, findings, facts, started_at, finished_at)
      select distinct on (found.lesson_id)
        ${runId}::int, found.lesson_id, found.status, found.revision, found.findings, found.facts, found.started_at, found.finished_at
      from ${publishChecks} found
      join ${lessons} on ${lessons.id} = found.lesson_id and ${lessons.revision} = found.revision
      where ${lessons.courseId} = ${courseId} and found.status = 'done'
      order by found.lesson_id, found.run_id desc on conflict do nothing`);
  }
  for (const { lessonId } of rows) await sendJob(tx, lessonJob, { runId, lessonId });
  const kept = tx
    .select({ id: publishRuns.id })
    .from(publishRuns)
    .where(eq(publishRuns.courseId, courseId))
    .orderBy(desc(publishRuns.id))
    .offset(RUNS_KEPT);
  await tx.delete(publishRuns).where(inArray(publishRuns.id, kept));
  await recordAudit(tx, actor, {
    action: 'course.checked',
    subjectType: 'course',
    subjectId: ownId,
    details: { title, lessons: rows.length },
  });
  return true;
}

/**
 * Checks one lesson of a run, once.
 * @param isLast the last try records why the lesson could not be checked
 */
async function checkLesson(runId: number, lessonId: number, isLast: boolean): Promise<void> {
  const isMine = await db().transaction(async (tx) => {
    const [run] = await tx
      .update(publishRuns)
      .set({ movedAt: sql`now()` })
      .where(and(eq(publishRuns.id, runId), eq(publishRuns.status, 'running')))
      .returning({ id: publishRuns.id });
    if (!run) return null;
    const claimed = await tx
      .update(publishChecks)
      .set({ status: 'running', startedAt: sql`now()` })
      .where(
        and(
          eq(publishChecks.runId, runId),
          eq(publishChecks.lessonId, lessonId),
          ne(publishChecks.status, 'done'),
        ),
      )
      .returning({ lessonId: publishChecks.lessonId });
    return claimed.length > 0;
  });
  if (isMine === null) return;
  const found = isMine ? await readLesson(lessonId) : null;
  // Done, or deleted with its check, for which alone the run may have waited.
  if (!found) return finishRun(runId);
  let proof: Awaited<ReturnType<typeof proveLesson>>;
  try {
    const lessonCount = await db().$count(publishChecks, eq(publishChecks.runId, runId));
    proof = await proveLesson(found, { lessonCount });
  } catch (error) {
    if (!isLast) throw error;
    log.error({ err: error, lessonId }, 'a lesson could not be checked');
    const message = 'The lesson could not be checked because of a fault on our side. Check the course again.';
    proof = { findings: [finding('error', 'content', message)], facts: {} };
  }
  const { wrongPrograms = [], ...kept } = proof;
  await seedMistakes(found.lesson, wrongPrograms);
  await db().transaction(async (tx) => {
    // The result may change the course's place in the store; same lock order as for changes of lessons.
    if (!(await lockWorking(tx, found.lesson.courseId))) return;
    await tx
      .update(publishChecks)
      .set({
        ...kept,
        // PostgreSQL cannot store U+0000.
        findings: JSON.parse(
          JSON.stringify(proof.findings).replaceAll('\\u0000', '\u2400').toWellFormed(),
        ) as PublishFinding[],
        status: 'done',
        revision: found.lesson.revision,
        finishedAt: sql`now()`,
      })
      .where(
        and(
          eq(publishChecks.runId, runId),
          eq(publishChecks.lessonId, lessonId),
          ne(publishChecks.status, 'done'),
        ),
      );
    await forgetMendedLinks(tx, lessonId, proof.findings);
    await renewOverrides(tx, found.lesson, placesOf(found).map(keyOf));
    await settleLesson(tx, lessonId);
  });
  await finishRun(runId);
}

async function seedMistakes(
  { id, codingLanguage, solution }: CheckedLesson['lesson'],
  programs: readonly WrongProgram[],
): Promise<void> {
  if (codingLanguage === null || programs.length === 0) return;
  try {
    await seedGroups({ id, language: codingLanguage, solution }, programs);
  } catch (error) {
    if (!isForeignKeyViolation(error)) throw error;
  }
}

async function finishRun(runId: number): Promise<void> {
  const [run] = await db()
    .update(publishRuns)
    .set({ movedAt: sql`now()` })
    .where(eq(publishRuns.id, runId))
    .returning({ courseId: publishRuns.courseId });
  if (!run) return;
  await checkCourseFields(runId);
  await retryOnConflict(() =>
    db().transaction(async (tx) => {
      // Before the run's row: the lock order for changes of lessons.
      const working = await lockWorking(tx, run.courseId);
      if (!working) return;
      const [finished] = await tx
        .update(publishRuns)
        .set({ status: 'finished', finishedAt: sql`now()` })
        .where(
          and(
            eq(publishRuns.id, runId),
            eq(publishRuns.status, 'running'),
            sql`not exists (select from ${publishChecks} where ${publishChecks.runId} = ${runId} and ${publishChecks.status} <> 'done')`,
          ),
        )
        .returning();
      if (finished?.isTold) await mailUnproven(tx, finished);
      if (finished?.publishes) await publishProven(tx, working, finished, finished.publishes);
    }),
  );
}

async function publishProven(
  tx: Tx,
  working: WorkingCourse,
  { id, startedBy, startedByName }: typeof publishRuns.$inferSelect,
  wish: PublishWish,
): Promise<void> {
  const isSame = seenOf(await outlinesOf(working.courseId, working.id, tx)) === wish.seen;
  // This run looked at dependent lessons: only proof counts now.
  const isProven = (await lessonsToProve(working, tx)).every(({ isProven }) => isProven);
  const outcome = !isSame ? 'changed' : isProven ? 'published' : 'faulty';
  await tx.update(publishRuns).set({ outcome }).where(eq(publishRuns.id, id));
  if (outcome === 'published') await publishCopy(tx, { id: startedBy, name: startedByName }, working, wish);
}

/**
 * Lets a finding pass until the lesson changes; audited.
 * @param reason null takes an override back
 * @throws {AppError} not_found for a lesson of another course; conflict for a finding that is gone
 */
export async function overrideFinding(
  actor: Actor,
  courseId: number,
  { lessonId: shown, finding: key, reason }: { lessonId: number; finding: string; reason: string | null },
): Promise<PublishReport> {
  if (!mayLetPass())
    throw new AppError('conflict', 'On this site every finding has to be fixed: none can be let pass.');
  await db().transaction(async (tx) => {
    const working = await lockWorking(tx, courseId);
    if (!working) throw new AppError('not_found', 'Course not found');
    const [lesson] = await tx
      .select({ id: lessons.id, title: lessons.title, revision: lessons.revision })
      .from(lessons)
      .where(and(eq(lessons.courseId, working.id), isLesson(shown)))
      .for('no key update');
    if (!lesson) throw new AppError('not_found', 'Lesson not found');
    const lessonId = lesson.id;
    const [check] = await tx
      .select({ revision: publishChecks.revision, findings: publishChecks.findings })
      .from(publishChecks)
      .where(and(eq(publishChecks.lessonId, lessonId), eq(publishChecks.status, 'done')))
      .orderBy(desc(publishChecks.runId))
      .limit(1);
    const found = check?.findings.find((one) => one.key === key);
    if (!found || check?.revision !== lesson.revision) {
      throw new AppError('conflict', 'The lesson has changed since it was checked. Check the course again.');
    }
    await writeOverride(tx, actor, { ...lesson, shown, course: working.title, courseId }, found, reason);
  });
  return publishReport(courseId);
}
