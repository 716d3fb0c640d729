import { and, eq, isNull, lt, or, sql } from 'drizzle-orm';
import { closedLesson, givesAccess } from '#src/features/catalogue/access.server.ts';
import type { Closed } from '#src/features/lessons/opening.ts';
import { db, prepared } from '#db/client.ts';
import { courses, lessons } from '#db/schema/catalogue.ts';
import { certificates, courseNews, enrollments, lessonProgress, studyClocks } from '#db/schema/learn.ts';
import type { LessonOutline } from '#src/features/catalogue/catalogue.ts';
import { outlineColumns, type Viewer } from '#src/features/catalogue/catalogue.server.ts';
import type { EnrollmentModel } from '#src/features/learn/schema.ts';
import { dueAt } from '#src/features/learn/assignments/due.server.ts';
import { has, PLAYED_COLUMNS } from '#src/features/lessons/registry.ts';
import { watchedPercent } from '#src/features/lessons/types/video/watching.ts';
import { pick } from '#src/shared/pick.ts';
import {
  changedSince,
  outlineOf,
  toEnrollmentModel,
  enrollmentColumns,
  isExcused,
  viewedLesson,
} from '#src/features/learn/progress/enrollments.server.ts';

/** Seconds without a report after which a tab counts as closed: three reports. */
export const TAB_GONE_SECONDS = 90;
/** Seconds: a reload does not write `lastAccessedAt` again. */
const PLACE_FRESH_SECONDS = 30;

const secondsAgo = (count: number) => sql`now() - make_interval(secs => ${sql.raw(String(count))})`;

/** Needs `lessons`, and joins of `lesson_progress` and `enrollments`. */
const openedLesson = {
  lesson: {
    ...outlineColumns,
    dueAt,
    ...pick(lessons, ['content', 'instructions', 'fileSize', 'mimeType', ...PLAYED_COLUMNS]),
  },
  ofLearner: {
    // The join's other columns are nullable.
    lessonId: lessonProgress.lessonId,
    score: lessonProgress.score,
    timeSpent: lessonProgress.timeSpent,
    notes: lessonProgress.notes,
    notesVersion: lessonProgress.notesVersion,
    videoPosition: lessonProgress.videoPosition,
    watchedIntervals: lessonProgress.watchedIntervals,
  },
  watchIsStale: sql<boolean>`coalesce(${lessonProgress.watchedAt} < ${secondsAgo(TAB_GONE_SECONDS)}, true)`,
};

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
      placeIsStale: sql<boolean>`coalesce(${enrollments.lastAccessedAt} < ${secondsAgo(PLACE_FRESH_SECONDS)}, true)`,
      clockIsStale: sql<boolean>`coalesce(${studyClocks.countedUntil} < ${secondsAgo(TAB_GONE_SECONDS)}, true)`,
      ...openedLesson,
    })
    .from(enrollments)
    .innerJoin(courses, eq(courses.id, enrollments.courseId))
    .leftJoin(studyClocks, eq(studyClocks.userId, enrollments.userId))
    .leftJoin(
      lessons,
      and(
        eq(lessons.courseId, enrollments.courseId),
        eq(lessons.id, sql`coalesce(${sql.placeholder('lessonId')}::int, ${enrollments.currentLessonId})`),
      ),
    )
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
  /** What `openLesson` has to write. */
  stale: { place: boolean; clock: boolean };
  atHand: LessonRow | null;
}

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
  const { certificateNumber, newsCount, placeIsStale, clockIsStale, outline, ...rest } = row;
  const { lesson, ofLearner, watchIsStale, ...enrollment } = rest;
  return {
    enrollment: toEnrollmentModel(enrollment),
    lessons: outline,
    certificateNumber,
    newsCount,
    stale: { place: placeIsStale, clock: clockIsStale },
    atHand: lesson && { lesson, ofLearner, watchIsStale },
  };
}

const lessonForLearner = prepared((database) =>
  database
    .select(openedLesson)
    .from(lessons)
    .leftJoin(enrollments, givesAccess(sql.placeholder('userId'), lessons.courseId))
    .leftJoin(
      lessonProgress,
      and(eq(lessonProgress.lessonId, lessons.id), eq(lessonProgress.userId, sql.placeholder('userId'))),
    )
    .where(
      and(eq(lessons.id, sql.placeholder('lessonId')), eq(lessons.courseId, sql.placeholder('courseId'))),
    )
    .prepare('lesson_for_learner'),
);

type LessonRow = Awaited<ReturnType<ReturnType<typeof lessonForLearner>['execute']>>[number];

export type OpenedLesson = LessonRow['lesson'] & {
  /** Seconds. */
  timeSpent: number;
  score: number | null;
  notes: string;
  notesVersion: number;
  videoPosition: number;
  watchedPercent: number | null;
};

/**
 * Gives the lesson, records the place (decision 34) and starts the clock; null for a lesson of another course.
 * @param atHand read with the classroom
 */
export async function openLesson(
  userId: number,
  courseId: number,
  lessonId: number,
  stale: Classroom['stale'] = { place: true, clock: true },
  atHand: Classroom['atHand'] = null,
): Promise<OpenedLesson | null> {
  const row =
    atHand?.lesson.id === lessonId
      ? atHand
      : (await lessonForLearner().execute({ userId, courseId, lessonId }))[0];
  if (!row) return null;
  const { lesson, ofLearner: progress, watchIsStale } = row;
  const isVideo = has(lesson.type, 'watchRequired');
  await Promise.all([
    stale.place ? keepPlace(userId, courseId, lessonId) : null,
    stale.clock ? startStudyClock(userId) : null,
    !progress || (isVideo && watchIsStale) ? startLesson(userId, courseId, lessonId, isVideo) : null,
  ]);
  return {
    ...lesson,
    timeSpent: progress?.timeSpent ?? 0,
    score: progress?.score ?? null,
    notes: progress?.notes ?? '',
    notesVersion: progress?.notesVersion ?? 0,
    videoPosition: progress?.videoPosition ?? 0,
    watchedPercent: isVideo ? watchedPercent(progress?.watchedIntervals ?? [], lesson.durationSeconds) : null,
  };
}

/**
 * Records that a learner has seen a change.
 * @param changedAt as read: a newer change shows again
 */
export async function seeChange(userId: number, lessonId: number, changedAt: string): Promise<void> {
  await db()
    .update(lessonProgress)
    .set({ seenChangeAt: new Date(changedAt) })
    .where(and(eq(lessonProgress.userId, userId), eq(lessonProgress.lessonId, lessonId)));
}

async function keepPlace(userId: number, courseId: number, lessonId: number): Promise<void> {
  await db()
    .update(enrollments)
    .set({ currentLessonId: lessonId, lastAccessedAt: sql`now()` })
    .where(givesAccess(userId, courseId));
}

async function startStudyClock(userId: number): Promise<void> {
  await db()
    .insert(studyClocks)
    .values({ userId })
    .onConflictDoUpdate({
      target: studyClocks.userId,
      set: { countedUntil: sql`now()` },
      setWhere: lt(studyClocks.countedUntil, secondsAgo(TAB_GONE_SECONDS)),
    });
}

async function startLesson(
  userId: number,
  courseId: number,
  lessonId: number,
  isVideo: boolean,
): Promise<void> {
  await db()
    .insert(lessonProgress)
    .values({ userId, courseId, lessonId, ...(isVideo && { watchedAt: sql`now()` }) })
    .onConflictDoUpdate({
      target: [lessonProgress.userId, lessonProgress.lessonId],
      set: { watchedAt: sql`now()` },
      setWhere: and(
        sql`${isVideo}`,
        or(isNull(lessonProgress.watchedAt), lt(lessonProgress.watchedAt, secondsAgo(TAB_GONE_SECONDS))),
      ),
    });
}
