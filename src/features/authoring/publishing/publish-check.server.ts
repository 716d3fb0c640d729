import { and, asc, desc, eq, inArray, isNull, ne, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '#db/client.ts';
import {
  courses,
  type PublishFinding,
  publishChecks,
  findingOverrides,
  publishRuns,
  lessons,
} from '#db/schema/catalogue.ts';
import { type Actor, recordAudit } from '#src/features/account/audit.server.ts';
import { lockCourse } from '#src/features/lessons/lesson-store.server.ts';
import { seedGroups, type WrongProgram } from '#src/features/practice/groups/groups.server.ts';
import { isForeignKeyViolation, retryOnConflict } from '#src/server/database-errors.ts';
import { type JobDefinition, sendJob } from '#src/server/jobs.ts';
import { log } from '#src/server/log.ts';
import { AppError } from '#src/shared/errors.ts';
import { settleLesson, writeOverride } from './finding-overrides.server.ts';
import { deadLinksOf, forgetMendedLinks } from './dead-links.server.ts';
import { type CheckedLesson, finding, readLesson } from './lesson-check.server.ts';
import { mailUnproven } from './unproven-mail.server.ts';
import { proveLesson } from './check-lessons.server.ts';
import {
  type CheckedLessonReport,
  type FindingOverride,
  type PublishReport,
  obstacleOf,
  openErrors,
  type ShownFinding,
} from './publish-check.ts';

/** Runs of a course that are kept. */
const RUNS_KEPT = 5;
/** Minutes without a step after which a run counts as lost and another may begin. */
const STANDSTILL_MINUTES = 3;
/** Overrides of earlier contents that the report names of each lesson. */
const LAPSED_SHOWN = 5;

const noCourse = () => new AppError('not_found', 'Course not found');

const lessonJobData = z.object({ runId: z.number(), lessonId: z.number() });

/** Checks one lesson of a run. */
export const lessonJob: JobDefinition<typeof lessonJobData> = {
  name: 'publish-check.lesson',
  data: lessonJobData,
  retries: 3,
  retryDelaySeconds: 2,
  leaseSeconds: 60,
  // As many as the judge has places for each language: learners' programs wait for one of them at most.
  parallel: 2,
  run: ({ runId, lessonId }, { isLast }) => checkLesson(runId, lessonId, isLast),
};

/** Takes up the lessons that were being checked when the process ended. */
export const resumeJob: JobDefinition<z.ZodOptional<z.ZodUnknown>> = {
  name: 'publish-check.resume',
  data: z.unknown().optional(),
  retries: 1,
  retryDelaySeconds: 5,
  leaseSeconds: 60,
  atStart: true,
  run: resumePublishChecks,
};

/** Sends the jobs again of lessons whose check was begun and has not ended, since the process that did it is gone. */
export async function resumePublishChecks(): Promise<void> {
  const open = await db()
    .select({ runId: publishChecks.runId, lessonId: publishChecks.lessonId })
    .from(publishChecks)
    .innerJoin(publishRuns, eq(publishRuns.id, publishChecks.runId))
    .where(and(eq(publishRuns.status, 'running'), eq(publishChecks.status, 'running')));
  for (const data of open) await sendJob(db(), lessonJob, data);
}

/**
 * Begins to check every lesson of a course, audited. A run that is under way is joined: it is as good as a new one.
 *
 * @param isTold whether what it finds is told by mail, since nobody watches it
 * @throws {AppError} not_found without such a course
 */
export async function startPublishCheck(
  actor: Actor,
  courseId: number,
  { isTold = false }: { isTold?: boolean } = {},
): Promise<PublishReport> {
  await retryOnConflict(() =>
    db().transaction(async (tx) => {
      const course = await lockCourse(tx, courseId);
      const [open] = await tx
        .select({
          id: publishRuns.id,
          stands: sql<boolean>`${publishRuns.movedAt} < now() - make_interval(mins => ${STANDSTILL_MINUTES})`,
        })
        .from(publishRuns)
        .where(and(eq(publishRuns.courseId, courseId), eq(publishRuns.status, 'running')));
      if (open && !open.stands) return;
      if (open) {
        await tx
          .update(publishRuns)
          .set({ status: 'abandoned', finishedAt: sql`now()` })
          .where(eq(publishRuns.id, open.id));
      }
      const rows = await tx
        .select({ lessonId: lessons.id, revision: lessons.revision })
        .from(lessons)
        .where(eq(lessons.courseId, courseId))
        .orderBy(asc(lessons.order), asc(lessons.id));
      const [run] = await tx
        .insert(publishRuns)
        .values({
          courseId,
          startedBy: actor.id,
          startedByName: actor.name,
          isTold,
          ...(rows.length === 0 ? { status: 'finished' as const, finishedAt: sql`now()` } : {}),
        })
        .returning({ id: publishRuns.id });
      const runId = run!.id;
      if (rows.length > 0) await tx.insert(publishChecks).values(rows.map((row) => ({ runId, ...row })));
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
        subjectId: courseId,
        details: { title: course.title, lessons: rows.length },
      });
    }),
  );
  return publishReport(courseId);
}

/**
 * Checks one lesson of a run and keeps what was found. Nothing happens where that is done already or the run has ended.
 *
 * @param isLast whether nobody tries again: the lesson then gets a finding that says why it could not be checked
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
  // Done already, or deleted and its check with it; the run may have waited for nothing else.
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
    // What is settled may put the course into the store or take it off; locked in the order of all who change lessons.
    await lockCourse(tx, found.lesson.courseId);
    await tx
      .update(publishChecks)
      .set({
        ...kept,
        // PostgreSQL cannot store what programs may print.
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
    // The lesson was deleted while it was checked.
    if (!isForeignKeyViolation(error)) throw error;
  }
}

/** Notes that a run moved, and ends it when nothing of it is left to do. */
async function finishRun(runId: number): Promise<void> {
  await db().update(publishRuns).set({ movedAt: sql`now()` }).where(eq(publishRuns.id, runId));
  await db().transaction(async (tx) => {
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
      .returning({
        courseId: publishRuns.courseId,
        startedBy: publishRuns.startedBy,
        isTold: publishRuns.isTold,
      });
    if (finished?.isTold) await mailUnproven(tx, finished);
  });
}

/**
 * Lets one finding of a lesson's last check pass, with the reason, or takes that back; audited. It counts until the
 * lesson changes.
 *
 * @param reason null takes an override back
 * @throws {AppError} not_found for a lesson of another course; conflict for a finding that is not there (any more)
 */
export async function overrideFinding(
  actor: Actor,
  courseId: number,
  { lessonId, finding: key, reason }: { lessonId: number; finding: string; reason: string | null },
): Promise<PublishReport> {
  await db().transaction(async (tx) => {
    const course = await lockCourse(tx, courseId);
    const [lesson] = await tx
      .select({ title: lessons.title, revision: lessons.revision })
      .from(lessons)
      .where(and(eq(lessons.id, lessonId), eq(lessons.courseId, courseId)))
      .for('no key update');
    if (!lesson) throw new AppError('not_found', 'Lesson not found');
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
    await writeOverride(
      tx,
      actor,
      { id: lessonId, ...lesson, course: course.title, courseId },
      found,
      reason,
    );
  });
  return publishReport(courseId);
}

/**
 * How a course stands before the publish check: each lesson with its findings, and the run that is under way or was the last.
 *
 * @throws {AppError} not_found without such a course
 */
export async function publishReport(courseId: number): Promise<PublishReport> {
  const report = await findPublishReport(courseId);
  if (!report) throw noCourse();
  return report;
}

/** As `publishReport`; null where there is no such course. */
export async function findPublishReport(
  courseId: number,
): Promise<(PublishReport & { title: string }) | null> {
  const [[course], rows, [run], overrides, dead] = await Promise.all([
    db()
      .select({
        title: courses.title,
        isActive: courses.isActive,
        activateWhenProven: courses.activateWhenProven,
      })
      .from(courses)
      .where(eq(courses.id, courseId)),
    db()
      .select({
        id: lessons.id,
        title: lessons.title,
        type: lessons.type,
        section: lessons.section,
        revision: lessons.revision,
        provenRevision: lessons.provenRevision,
      })
      .from(lessons)
      .where(eq(lessons.courseId, courseId))
      .orderBy(asc(lessons.order), asc(lessons.id)),
    db()
      .select()
      .from(publishRuns)
      .where(eq(publishRuns.courseId, courseId))
      .orderBy(desc(publishRuns.id))
      .limit(1),
    db()
      .select({ override: findingOverrides })
      .from(findingOverrides)
      .innerJoin(lessons, eq(lessons.id, findingOverrides.lessonId))
      .where(and(eq(lessons.courseId, courseId), isNull(findingOverrides.withdrawnAt)))
      .orderBy(desc(findingOverrides.id)),
    deadLinksOf(courseId),
  ]);
  if (!course) return null;
  const checks = run ? await db().select().from(publishChecks).where(eq(publishChecks.runId, run.id)) : [];
  const checkOf = new Map(checks.map((check) => [check.lessonId, check]));
  const overridesOf = Map.groupBy(overrides, ({ override }) => override.lessonId);
  const isRunning = run?.status === 'running';

  const reports = rows.map(({ revision, provenRevision, ...lesson }): CheckedLessonReport => {
    const check = checkOf.get(lesson.id);
    const own = (overridesOf.get(lesson.id) ?? []).map(({ override }) => override);
    const current = new Map(
      own.filter((one) => one.revision === revision).map((one) => [one.findingKey, one]),
    );
    const isCurrent = check?.status === 'done' && check.revision === revision;
    const findings = isCurrent ? check.findings.map((one) => shownFinding(one, current.get(one.key))) : [];
    const open = isRunning && check && check.status !== 'done' ? check.status : null;
    return {
      ...lesson,
      state:
        open ??
        (provenRevision === revision
          ? 'proven'
          : isCurrent && openErrors(findings).length > 0
            ? 'failed'
            : provenRevision !== null || check?.status === 'done'
              ? 'changed'
              : 'unchecked'),
      findings,
      deadLinks: dead
        .filter(({ lessonId, key }) => lessonId === lesson.id && !findings.some((one) => one.key === key))
        .map(({ key, field, message, since }) => ({ key, field, message, since })),
      lapsed: own
        .filter((one) => one.revision !== revision)
        .slice(0, LAPSED_SHOWN)
        .map(shownOverride),
      facts: isCurrent ? check.facts : {},
      checkedAt: check?.finishedAt?.toISOString() ?? null,
    };
  });
  const obstacle = obstacleOf({
    lessons: rows.length,
    unproven: rows.filter((row) => row.revision !== row.provenRevision).length,
  });
  return {
    courseId,
    title: course.title,
    isActive: course.isActive,
    activateWhenProven: course.activateWhenProven,
    ready: obstacle === '',
    obstacle,
    run: run
      ? {
          id: run.id,
          status: run.status,
          startedBy: run.startedByName,
          startedAt: run.startedAt.toISOString(),
          finishedAt: run.finishedAt?.toISOString() ?? null,
          done: checks.filter(({ status }) => status === 'done').length,
          total: checks.length,
        }
      : null,
    lessons: reports,
  };
}

type OverrideRow = typeof findingOverrides.$inferSelect;

function shownOverride({ message, reason, userName, createdAt }: OverrideRow): FindingOverride {
  return { message, reason, by: userName, at: createdAt.toISOString() };
}

function shownFinding(
  { key, severity, field, message, mutation }: PublishFinding,
  override: OverrideRow | undefined,
): ShownFinding {
  return {
    key,
    severity,
    field,
    message,
    mutation: mutation ?? null,
    override: override ? shownOverride(override) : null,
  };
}

/** Courses in the store that are not proven as they are now, and the first of them by title. */
export async function unprovenCourses(
  limit: number,
): Promise<{ count: number; newest: { id: number; title: string }[] }> {
  const unproven = and(
    courses.isActive,
    sql`exists (select from ${lessons} where ${lessons.courseId} = ${courses.id}
      and ${lessons.provenRevision} is distinct from ${lessons.revision})`,
  );
  const [found, newest] = await Promise.all([
    db().$count(courses, unproven),
    db()
      .select({ id: courses.id, title: courses.title })
      .from(courses)
      .where(unproven)
      .orderBy(desc(courses.id))
      .limit(limit),
  ]);
  return { count: found, newest };
}
