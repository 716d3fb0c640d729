import { and, desc, eq, getTableColumns, isNull, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { toSnakeCase } from 'drizzle-orm/casing';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Executor, Tx } from '#db/client.ts';
import { courses, findingOverrides, lessons, publishChecks, publishRuns } from '#db/schema/catalogue.ts';
import { quizQuestions } from '#db/schema/learn.ts';
import { scenarios } from '#db/schema/scenario.ts';
import { AppError } from '#src/shared/errors.ts';
import { omit, pick } from '#src/shared/pick.ts';
import { lockCourse } from './lesson-store.server.ts';

// What learners have of a course changes when its author publishes, and not when they save (decision 119).

export interface WorkingCourse {
  id: number;
  courseId: number;
  title: string;
}

/** SQL: the course in which the lessons of this course are worked on. */
export const workingId = (courseId: number | SQL) =>
  sql<number>`coalesce((select copy.id from ${courses} copy where copy.draft_of = ${courseId}), ${courseId})`;

/** SQL: the course whose learners get what is worked on in this one. */
export const learnedId = (id: number | SQLWrapper) =>
  sql<number>`coalesce((select worked.draft_of from ${courses} worked where worked.id = ${id}), ${id})`;

export const isOwnCourse = isNull(courses.draftOf);

/** The id of a lesson as authors know it. */
export const shownId = ({ id, draftOf }: { id: number; draftOf: number | null }): number => draftOf ?? id;

/** SQL: the lesson that authors know by an id, in the course in which it is worked on. */
export const isLesson = (lessonId: number): SQL =>
  or(eq(lessons.draftOf, lessonId), and(eq(lessons.id, lessonId), isNull(lessons.draftOf)))!;

/** The course in which the lessons of this one are worked on; null where there is no such course. */
export async function findWorkingCourse(
  courseId: number,
  executor: Executor,
): Promise<(WorkingCourse & { isPublished: boolean }) | null> {
  const [row] = await executor
    .select({
      id: workingId(courseId),
      courseId: courses.id,
      title: courses.title,
      isPublished: sql<boolean>`${courses.publishedAt} is not null`,
    })
    .from(courses)
    .where(and(eq(courses.id, courseId), isOwnCourse));
  return row ?? null;
}

/**
 * Locks a course and its working copy until the transaction ends.
 * @param isWhole whether a lesson is added that lacks nothing: learners without any get it at once
 * @throws {AppError} not_found
 */
export async function lockForChange(tx: Tx, courseId: number, isWhole = false): Promise<WorkingCourse> {
  const { title } = await lockCourse(tx, courseId);
  const working = await findWorkingCourse(courseId, tx);
  if (!working) throw new AppError('not_found', 'Course not found');
  if (working.id !== courseId) await lockCourse(tx, working.id);
  else if (
    working.isPublished &&
    !(isWhole && (await tx.$count(lessons, eq(lessons.courseId, courseId))) === 0)
  )
    return { id: await makeCopy(tx, courseId), courseId, title };
  return { id: working.id, courseId, title };
}

/** As `lockForChange`, without making a copy. */
export async function lockWorking(tx: Tx, id: number): Promise<WorkingCourse | null> {
  const [found] = await tx
    .select({ courseId: sql<number>`coalesce(${courses.draftOf}, ${courses.id})` })
    .from(courses)
    .where(eq(courses.id, id));
  if (!found) return null;
  const { courseId } = found;
  await tx.select({ id: courses.id }).from(courses).where(eq(courses.id, courseId)).for('no key update');
  const working = await findWorkingCourse(courseId, tx);
  // A course that was deleted, and a copy that was published or discarded, while this waited.
  if (!working || (id !== courseId && id !== working.id)) return null;
  if (working.id !== courseId) await lockCourse(tx, working.id);
  return working;
}

/** The course of a lesson, by authors' id. @throws {AppError} not_found */
export async function courseOfLesson(executor: Executor, lessonId: number): Promise<number> {
  const [row] = await executor
    .select({ id: sql<number>`coalesce(${courses.draftOf}, ${courses.id})` })
    .from(lessons)
    .innerJoin(courses, eq(courses.id, lessons.courseId))
    .where(eq(lessons.id, lessonId));
  if (!row) throw new AppError('not_found', 'Lesson not found');
  return row.id;
}

/** Locks a lesson's course as `lockForChange` does. @throws {AppError} not_found */
export async function lockLessonForChange(
  tx: Tx,
  lessonId: number,
): Promise<{ working: WorkingCourse; lesson: typeof lessons.$inferSelect }> {
  const working = await lockForChange(tx, await courseOfLesson(tx, lessonId));
  const [lesson] = await tx
    .select()
    .from(lessons)
    .where(and(eq(lessons.courseId, working.id), isLesson(lessonId)))
    .for('no key update');
  if (!lesson) throw new AppError('not_found', 'Lesson not found');
  return { working, lesson };
}

function copiedColumns(table: PgTable, own: Record<string, SQL>) {
  const all = Object.entries(getTableColumns(table)).filter(([name]) => name !== 'id');
  return {
    names: sql.join(
      all.map(([name]) => sql.identifier(toSnakeCase(name))),
      sql`, `,
    ),
    values: sql.join(
      all.map(([name, column]) => own[name] ?? sql`${column}`),
      sql`, `,
    ),
  };
}

async function makeCopy(tx: Tx, courseId: number): Promise<number> {
  const [course] = await tx.select().from(courses).where(eq(courses.id, courseId));
  const [copy] = await tx
    .insert(courses)
    .values({
      // Nobody sees the rest, and a copy that had it would count as somebody's work.
      ...pick(course!, ['title', 'description', 'priceCents', 'level', 'categoryId', 'certificateMonths']),
      isActive: false,
      archivedAt: sql`now()`,
      draftOf: courseId,
    })
    .returning({ id: courses.id });
  await copyLessons(tx, copy!.id, eq(lessons.courseId, courseId));
  await copyLastRun(tx, courseId, copy!.id);
  return copy!.id;
}

async function copyLastRun(tx: Tx, courseId: number, copyId: number): Promise<void> {
  const [last] = await tx
    .select()
    .from(publishRuns)
    .where(and(eq(publishRuns.courseId, courseId), eq(publishRuns.status, 'finished')))
    .orderBy(desc(publishRuns.id))
    .limit(1);
  if (!last) return;
  const [run] = await tx
    .insert(publishRuns)
    .values({ ...omit(last, ['id', 'publishes', 'outcome']), courseId: copyId })
    .returning({ id: publishRuns.id });
  const found = copiedColumns(publishChecks, {
    runId: sql`${run!.id}`,
    lessonId: sql`copy.id`,
    revision: sql`copy.revision`,
  });
  await tx.execute(sql`
    insert into ${publishChecks} (${found.names})
    select ${found.values} from ${publishChecks}
    join ${lessons} live on live.id = ${publishChecks.lessonId} and live.revision = ${publishChecks.revision}
    join ${lessons} copy on copy.draft_of = live.id and copy.course_id = ${copyId}
    where ${publishChecks.runId} = ${last.id} and ${publishChecks.status} = 'done'`);
}

/** Copies lessons into the course's working copy, with their proofs and overrides. */
export async function copyLessons(tx: Tx, copyId: number, which: SQL): Promise<void> {
  const lesson = copiedColumns(lessons, {
    courseId: sql`${copyId}`,
    draftOf: sql`${lessons.id}`,
    provenRevision: sql`null`,
  });
  await tx.execute(sql`
    insert into ${lessons} (${lesson.names})
    select ${lesson.values} from ${lessons} where ${which} order by ${lessons.order}, ${lessons.id}`);
  const fresh = sql`copy.course_id = ${copyId} and copy.draft_of in (select id from ${lessons} where ${which})`;
  const question = copiedColumns(quizQuestions, {
    lessonId: sql`copy.id`,
    draftOf: sql`${quizQuestions.id}`,
  });
  await tx.execute(sql`
    insert into ${quizQuestions} (${question.names})
    select ${question.values} from ${quizQuestions}
    join ${lessons} copy on copy.draft_of = ${quizQuestions.lessonId} where ${fresh}
    order by ${quizQuestions.order}, ${quizQuestions.id}`);
  const scenario = copiedColumns(scenarios, { lessonId: sql`copy.id` });
  await tx.execute(sql`
    insert into ${scenarios} (${scenario.names})
    select ${scenario.values} from ${scenarios}
    join ${lessons} copy on copy.draft_of = ${scenarios.lessonId} where ${fresh}`);
  // Its questions have raised its revision by now.
  await tx.execute(sql`
    update ${lessons} copy set proven_revision = copy.revision from ${lessons} live
    where ${fresh} and live.id = copy.draft_of and live.proven_revision = live.revision`);
  const override = copiedColumns(findingOverrides, { lessonId: sql`copy.id`, revision: sql`copy.revision` });
  await tx.execute(sql`
    insert into ${findingOverrides} (${override.names})
    select ${override.values} from ${findingOverrides}
    join ${lessons} live on live.id = ${findingOverrides.lessonId} and live.revision = ${findingOverrides.revision}
    join ${lessons} copy on copy.draft_of = live.id
    where ${fresh} and ${findingOverrides.withdrawnAt} is null`);
}
