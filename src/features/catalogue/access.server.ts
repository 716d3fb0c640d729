import { and, eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { db, type Executor, prepared } from '#db/client.ts';
import { jsonTime } from '#db/json.ts';
import { courses, lessons, pictures } from '#db/schema/catalogue.ts';
import { enrollments, lessonProgress, previewLearners, quizQuestions } from '#db/schema/learn.ts';
import { AFTER_MAX, type Closed, opensSentence } from '#src/features/lessons/opening.ts';
import { AppError } from '#src/shared/errors.ts';
import { LESSON_NOT_FOUND } from './catalogue.ts';
import { isStaffOf, type Person } from '#src/features/account/staff.ts';

/** Disputes suspend, refunds and administrators revoke; the row stays with its progress. */
export const ACCESS_STATUS = 'active';

/**
 * SQL for rows of `enrollments`.
 * @param userId absent for all
 * @param courseId absent for any
 */
export function givesAccess(userId?: number | SQLWrapper, courseId?: number | SQLWrapper): SQL {
  const parts = [sql`${enrollments.status} = ${sql.raw(`'${ACCESS_STATUS}'`)}`];
  if (userId !== undefined) parts.push(sql`${enrollments.userId} = ${userId}`);
  if (courseId !== undefined) parts.push(sql`${enrollments.courseId} = ${courseId}`);
  return sql.join(parts, sql` and `);
}

/** SQL: excludes preview learners from all counts, lists and mails. */
export function isPerson(userId: SQLWrapper): SQL {
  return sql`not exists (select from ${previewLearners} where ${previewLearners.userId} = ${userId})`;
}

export function hasAccess(userId: number | SQLWrapper, courseId: number | SQLWrapper): SQL<boolean> {
  return sql<boolean>`exists (select from ${enrollments} where ${givesAccess(userId, courseId)})`;
}

/** SQL: JSON of `Closed`, null for open; needs `lessons` and `enrollments`. The offset stops a second evaluation. */
export const closedLesson: SQL<Closed | null> = sql<Closed | null>`case
  when ${lessons.opening} = '{}'::jsonb or ${lessons.isPreview} then null
  else (
    select json_build_object(
      'until', case when waits.until > now() then ${jsonTime(sql`waits.until`)} end,
      'needsEarlier', waits.needs_earlier,
      'needs', coalesce(waits.needs, '[]'))
    from (
      select
        greatest(
          ${enrollments.enrolledAt} + make_interval(days => (${lessons.opening} ->> 'afterDays')::int),
          (${lessons.opening} ->> 'on')::timestamp at time zone 'UTC') as until,
        coalesce((${lessons.opening} ->> 'afterEarlier')::boolean, false) and exists (
          select from ${lessons} earlier
          left join ${lessonProgress} done
            on done.lesson_id = earlier.id and done.user_id = ${enrollments.userId}
              and (done.completed or done.excused_at is not null)
          where earlier.course_id = ${lessons.courseId} and earlier.required_to_complete and done.lesson_id is null
            and (earlier."order", earlier.id) < (${lessons.order}, ${lessons.id})) as needs_earlier,
        (select json_agg(json_build_object('id', needed.id, 'title', needed.title) order by needed."order", needed.id)
          from (select jsonb_array_elements_text(${lessons.opening} -> 'after')::int as id limit ${sql.raw(String(AFTER_MAX))}) named
          join ${lessons} needed on needed.course_id = ${lessons.courseId}
            and (needed.id = named.id or needed.draft_of = named.id)
          left join ${lessonProgress} done
            on done.lesson_id = needed.id and done.user_id = ${enrollments.userId}
              and (done.completed or done.excused_at is not null)
          where done.lesson_id is null) as needs
      offset 0
    ) waits
    where (coalesce(waits.until > now(), false) or waits.needs_earlier or waits.needs is not null) and not exists (
      select from ${lessonProgress} own
      where own.lesson_id = ${lessons.id} and own.user_id = ${enrollments.userId} and own.completed))
  end`;

export async function closedLessonIds(userId: number, courseId: number): Promise<Set<number>> {
  const rows = await db()
    .select({ id: lessons.id })
    .from(lessons)
    .innerJoin(enrollments, givesAccess(userId, lessons.courseId))
    .where(
      and(
        eq(lessons.courseId, courseId),
        sql`${lessons.opening} <> '{}'::jsonb`,
        sql`${closedLesson} is not null`,
      ),
    );
  return new Set(rows.map(({ id }) => id));
}

type LessonOfLearner = { id: number; courseId: number; closed: Closed | null };

export class LessonClosed extends AppError {
  readonly href: string;

  constructor({ id, courseId }: LessonOfLearner, closed: Closed) {
    super('forbidden', opensSentence(closed));
    this.href = `/learn/${courseId}?lesson=${id}`;
  }
}

/** @throws {LessonClosed} */
export function requireOpen(lesson: LessonOfLearner): void {
  if (lesson.closed) throw new LessonClosed(lesson, lesson.closed);
}

/** SQL for rows of `courses`: costs money and has no lesson that learners can open. */
export const opensLater = sql<boolean>`(courses.price_cents > 0 and not exists (select from lessons where lessons.course_id = courses.id))`;

/** SQL: decision 32. */
export const isOpenToAll = sql<boolean>`${lessons.isPreview} and ${courses.isActive}`;

/** Needs `lessons`, `courses` and the viewer's `enrollments`. */
export const doorColumns = {
  id: lessons.id,
  courseId: lessons.courseId,
  enrollmentId: enrollments.id,
  isOpenToAll,
  closed: closedLesson,
};
interface Door extends LessonOfLearner {
  /** Null without access. */
  enrollmentId: number | null;
  isOpenToAll: boolean;
}

/** `admin` is the course's staff. */
export type Reader = 'anyone' | 'learner' | 'admin';

/**
 * Decision 32; null where they may not. All output of a lesson asks this, or `isOpenToAll` without a sign-in.
 * @throws {LessonClosed}
 */
export function readerOf(door: Door | undefined, viewer: Person | null): Reader | null {
  if (!door) return null;
  if (isStaffOf(viewer, door.courseId)) return 'admin';
  if (door.enrollmentId === null) return door.isOpenToAll ? 'anyone' : null;
  if (door.closed) throw new LessonClosed(door, door.closed);
  return 'learner';
}

/** @throws {AppError} not_found with the text of spec 8, also out of reach (I1) @throws {LessonClosed} */
export async function requireReadable(
  executor: Executor,
  lessonId: number,
  viewer: (Person & { id: number }) | null,
): Promise<{ courseId: number; reader: Reader; isEnrolled: boolean }> {
  const [door] = await executor
    .select(doorColumns)
    .from(lessons)
    .innerJoin(courses, eq(courses.id, lessons.courseId))
    // No account has id 0.
    .leftJoin(enrollments, givesAccess(viewer?.id ?? 0, courses.id))
    .where(eq(lessons.id, lessonId));
  const reader = readerOf(door, viewer);
  if (!door || reader === null) throw new AppError('not_found', LESSON_NOT_FOUND);
  return { courseId: door.courseId, reader, isEnrolled: door.enrollmentId !== null && !door.closed };
}

/** SQL: in text, options or explanation. */
export const questionShows = (path: SQLWrapper): SQL =>
  sql`position(${path} in concat(${quizQuestions.question}, ' ', ${quizQuestions.explanation}, ' ', ${quizQuestions.options}, ' ', ${quizQuestions.details} ->> 'options')) > 0`;

const pictureReaders = prepared((database) =>
  database
    .select({
      isPublic: sql<boolean>`bool_or(
        ${courses.isActive} and position(${pictures.path} in ${courses.description}) > 0
        or exists (
          select from ${lessons}
          where ${lessons.courseId} = ${courses.id} and ${isOpenToAll}
            and (position(${pictures.path} in concat(${lessons.content}, ' ', ${lessons.instructions}, ' ', ${lessons.hints}, ' ', ${lessons.solutionNotes})) > 0
              or exists (select from ${quizQuestions} where ${quizQuestions.lessonId} = ${lessons.id}
                and ${quizQuestions.details} ->> 'format' = 'markdown' and ${questionShows(pictures.path)}))
        ))`,
      enrolled: sql<boolean>`bool_or(${enrollments.id} is not null)`,
      courseIds: sql<number[] | null>`array_agg(${courses.id})`,
    })
    .from(pictures)
    .innerJoin(courses, eq(courses.id, pictures.courseId))
    .leftJoin(enrollments, givesAccess(sql.placeholder('viewerId'), courses.id))
    .where(eq(pictures.path, sql.placeholder('path')))
    .prepare('picture_readers'),
);

/**
 * Staff, the enrolled, and anyone where a preview lesson or visible description shows it (decision 32, fault I9).
 * @param path of the picture itself, not of a size
 */
export async function mayReadPicture(
  path: string,
  viewer: (Person & { id: number }) | null,
): Promise<boolean> {
  if (viewer?.role === 'admin') return true;
  const [found] = await pictureReaders().execute({ path, viewerId: viewer?.id ?? 0 });
  return (
    found?.isPublic === true ||
    found?.enrolled === true ||
    (found?.courseIds ?? []).some((id) => isStaffOf(viewer, id))
  );
}
