import { and, eq, type SQLWrapper, sql } from 'drizzle-orm';
import { closedLesson, givesAccess } from '#src/features/catalogue/access.server.ts';
import type { Closed } from '#src/features/lessons/opening.ts';
import { db, prepared } from '#db/client.ts';
import { courses, lessons } from '#db/schema/catalogue.ts';
import { certificates, courseNews, enrollments, lessonProgress, studyClocks } from '#db/schema/learn.ts';
import { scenarios } from '#db/schema/scenario.ts';
import type { LessonOutline } from '#src/features/catalogue/catalogue.ts';
import { outlineColumns, type Viewer } from '#src/features/catalogue/catalogue.server.ts';
import type { EnrollmentModel } from '#src/features/learn/schema.ts';
import { dueAt } from '#src/features/learn/assignments/due.server.ts';
import type { Ruling } from '#src/features/learn/progress/learn.ts';
import { ruling } from '#src/features/learn/progress/rulings.server.ts';
import { bodyColumns } from '#src/features/lessons/lesson-store.server.ts';
import { has, isDoneByPassing, PLAYED_COLUMNS, video } from '#src/features/lessons/registry.ts';
import { watchedPercent } from '#src/features/lessons/types/video/watching.ts';
import { omit, pick } from '#src/shared/pick.ts';
import {
  changedSince,
  outlineOf,
  toEnrollmentModel,
  enrollmentColumns,
  isCompleted,
  isExcused,
  viewedLesson,
} from '#src/features/learn/progress/enrollments.server.ts';

/** Seconds without a report after which a tab counts as closed: three reports. */
export const TAB_GONE_SECONDS = 90;
/** Seconds: a reload does not write `lastAccessedAt` again. */
const PLACE_FRESH_SECONDS = 30;

const isOld = (moment: SQLWrapper, seconds: number) =>
  sql<boolean>`coalesce(${moment} < now() - make_interval(secs => ${sql.raw(String(seconds))}), true)`;

const isVideo = sql`${lessons.type} = ${sql.raw(`'${video.name}'`)}`;

/** SQL: whether `visitLesson` has anything to write. Needs `lessons`, and joins of what it writes. */
export const isStaleVisit = sql<boolean>`(
  ${enrollments.currentLessonId} is distinct from ${lessons.id} or ${lessonProgress.lessonId} is null
  or ${isOld(enrollments.lastAccessedAt, PLACE_FRESH_SECONDS)} or ${isOld(studyClocks.countedUntil, TAB_GONE_SECONDS)}
  or ${isVideo} and ${isOld(lessonProgress.watchedAt, TAB_GONE_SECONDS)})`;

/** SQL: the requested lesson of the course, else that of `lessonToOpen`. */
const lessonToShow = sql`coalesce(
  (select ${lessons.id} from ${lessons}
    where ${lessons.id} = ${sql.placeholder('lessonId')}::int and ${lessons.courseId} = ${enrollments.courseId}),
  (select ${lessons.id} from ${lessons}
    left join ${lessonProgress}
      on ${lessonProgress.lessonId} = ${lessons.id} and ${lessonProgress.userId} = ${enrollments.userId}
    where ${lessons.courseId} = ${enrollments.courseId}
    order by
      case when ${closedLesson} is not null then 3 when ${isCompleted} or ${isExcused} then 2
        when (${lessons.order}, ${lessons.id}) < (
          select at."order", at.id from ${lessons} at
          where at.id = ${enrollments.currentLessonId} and at.course_id = ${enrollments.courseId}) then 1 else 0 end,
      ${lessons.order}, ${lessons.id}
    limit 1))`;

const seatInCourse = prepared((database) =>
  database
    .select({
      ...enrollmentColumns,
      certificateNumber: certificates.certificateNumber,
      newsCount: sql<number>`(select count(*)::int from ${courseNews} where ${courseNews.courseId} = ${courses.id} and ${courseNews.sentAt} is not null)`,
      outline: outlineOf<ViewedLesson>({
        ...viewedLesson,
        excused: isExcused,
        closed: closedLesson,
        dueAt,
        changedAt: changedSince,
      }).as('outline'),
      isStale: isStaleVisit,
      lesson: {
        ...outlineColumns,
        dueAt,
        ...pick(lessons, ['content', 'instructions', 'fileSize', 'mimeType', ...PLAYED_COLUMNS]),
        scenarioId: sql<number | null>`(select id from ${scenarios} where lesson_id = ${lessons.id})`,
      },
      body: omit(bodyColumns, ['content', 'instructions', ...PLAYED_COLUMNS]),
      ofLearner: {
        ...pick(lessonProgress, [
          // The join's other columns are nullable.
          'lessonId',
          'score',
          'timeSpent',
          'notes',
          'notesVersion',
          'videoPosition',
          'watchedIntervals',
        ]),
        ruling,
      },
    })
    .from(enrollments)
    .innerJoin(courses, eq(courses.id, enrollments.courseId))
    .leftJoin(studyClocks, eq(studyClocks.userId, enrollments.userId))
    .leftJoin(lessons, and(eq(lessons.courseId, enrollments.courseId), eq(lessons.id, lessonToShow)))
    .leftJoin(
      lessonProgress,
      and(eq(lessonProgress.lessonId, lessons.id), eq(lessonProgress.userId, enrollments.userId)),
    )
    .leftJoin(
      certificates,
      and(eq(certificates.userId, enrollments.userId), eq(certificates.courseId, enrollments.courseId)),
    )
    .where(givesAccess(sql.placeholder('userId'), sql.placeholder('courseId')))
    .prepare('seat_in_course'),
);

export type ViewedLesson = Pick<
  LessonOutline,
  'id' | 'title' | 'section' | 'type' | 'duration' | 'requiredToComplete' | 'points'
> & {
  completed: boolean;
  excused: boolean;
  closed: Closed | null;
  dueAt: string | null;
  /** Set until the learner has seen the new version of a completed lesson. */
  changedAt: string | null;
};

export interface Classroom {
  enrollment: EnrollmentModel;
  lessons: ViewedLesson[];
  certificateNumber: string | null;
  newsCount: number;
  /** The requested one, or where the learner goes on. */
  open: ViewedLesson | null;
  /** The same with what is in it; null while it is closed. */
  lesson: OpenedLesson | null;
}

type Seat = Awaited<ReturnType<ReturnType<typeof seatInCourse>['execute']>>[number];

export type OpenedLesson = NonNullable<Seat['lesson']> & {
  /** Seconds. */
  timeSpent: number;
  score: number | null;
  notes: string;
  notesVersion: number;
  videoPosition: number;
  watchedPercent: number | null;
  ruling: Ruling | null;
  /** Whether passing completes it instead of Mark Complete (decision 33). */
  isPassed: boolean;
  isStale: boolean;
};

/**
 * Null without an active enrollment.
 * @param lessonId the requested lesson
 */
export async function findClassroom(
  user: NonNullable<Viewer>,
  courseId: number,
  lessonId: number | null = null,
): Promise<Classroom | null> {
  const [row] = await seatInCourse().execute({ userId: user.id, courseId, lessonId });
  if (!row) return null;
  const { certificateNumber, newsCount, outline, isStale, lesson, body, ofLearner, ...enrollment } = row;
  const open = outline.find(({ id }) => id === lesson?.id) ?? null;
  return {
    enrollment: toEnrollmentModel(enrollment),
    lessons: outline,
    certificateNumber,
    newsCount,
    open,
    lesson: lesson && body && open?.closed === null ? openedLesson(lesson, body, ofLearner, isStale) : null,
  };
}

function openedLesson(
  lesson: NonNullable<Seat['lesson']>,
  body: NonNullable<Seat['body']>,
  progress: Seat['ofLearner'],
  isStale: boolean,
): OpenedLesson {
  return {
    ...lesson,
    timeSpent: progress?.timeSpent ?? 0,
    score: progress?.score ?? null,
    notes: progress?.notes ?? '',
    notesVersion: progress?.notesVersion ?? 0,
    videoPosition: progress?.videoPosition ?? 0,
    watchedPercent: has(lesson.type, 'watchRequired')
      ? watchedPercent(progress?.watchedIntervals ?? [], lesson.durationSeconds)
      : null,
    ruling: progress?.ruling ?? null,
    isPassed: isDoneByPassing(lesson.type, { ...lesson, ...body }),
    isStale,
  };
}

/**
 * Records the place (decision 34), starts the clock and the lesson, and that a change is seen.
 * @param changedAt as read: a newer change shows again
 */
export async function visitLesson(
  userId: number,
  courseId: number,
  lessonId: number,
  changedAt: string | null = null,
): Promise<void> {
  const isUnwatched = sql`excluded.watched_at is not null and ${isOld(lessonProgress.watchedAt, TAB_GONE_SECONDS)}`;
  // Each part reads the one before: they lock in the order of a report of study time.
  await db().execute(sql`
    with place as (
      update ${enrollments} set current_lesson_id = ${lessons.id}, last_accessed_at = now()
      from ${lessons}
      where ${lessons.id} = ${lessonId} and ${givesAccess(userId, courseId)} and ${lessons.courseId} = ${courseId}
        and (${enrollments.currentLessonId} is distinct from ${lessons.id}
          or ${isOld(enrollments.lastAccessedAt, PLACE_FRESH_SECONDS)})
      returning 1),
    clock as (
      insert into ${studyClocks} (user_id)
      select ${userId}::int from (select count(*) from place) placed
      on conflict (user_id) do update set counted_until = now()
        where ${isOld(studyClocks.countedUntil, TAB_GONE_SECONDS)}
      returning 1)
    insert into ${lessonProgress} (user_id, lesson_id, course_id, watched_at, seen_change_at)
    select ${userId}::int, ${lessons.id}, ${courseId}::int, case when ${isVideo} then now() end, ${changedAt}::timestamptz
    from ${lessons}, (select count(*) from clock) started
    where ${lessons.id} = ${lessonId} and ${lessons.courseId} = ${courseId}
    on conflict (user_id, lesson_id) do update set
      watched_at = case when ${isUnwatched} then now() else ${lessonProgress.watchedAt} end,
      seen_change_at = coalesce(excluded.seen_change_at, ${lessonProgress.seenChangeAt})
    where ${isUnwatched} or excluded.seen_change_at is not null`);
}
