import { and, eq, sql } from 'drizzle-orm';
import { db, type Tx } from '#db/client.ts';
import { enrollments, lessonProgress, studyClocks } from '#db/schema/learn.ts';
import { retryOnConflict } from '#src/server/database-errors.ts';
import {
  type LearnersLesson,
  addStudy,
  lockLearnersLesson,
} from '#src/features/learn/progress/completion.server.ts';
import { addWatched, PLAYBACK_RATE_MAX, watchedPercent } from '#src/features/lessons/types/video/watching.ts';
import { has } from '#src/features/lessons/registry.ts';

/** Seconds that one report can claim; reports come every twenty. */
const REPORT_MAX_SECONDS = 60;
/** Seconds of delay that a report may have; the next one can claim them. */
const REPORT_SLACK_SECONDS = 2;

interface Report {
  seconds: number;
  video?: { position: number; watched: [number, number][] } | undefined;
}

/**
 * Stores reported time and video parts, never more than the server's clock allows (decision 34).
 * @throws {AppError} not_found
 */
export async function recordActivity(userId: number, lessonId: number, { seconds, video }: Report) {
  return retryOnConflict(() =>
    db().transaction(async (tx) => {
      const lesson = await lockLearnersLesson(tx, userId, lessonId);
      const clock = await lockStudyClock(tx, userId);
      const time = await countStudyTime(tx, { userId, courseId: lesson.courseId, lessonId, seconds }, clock);
      const watched = has(lesson.type, 'watchRequired')
        ? await keepWatching(tx, userId, lesson, video)
        : null;
      const { timeSpent, totalTimeSpent } = time;
      return { timeSpent, totalTimeSpent, watchedPercent: watched };
    }),
  );
}

interface StudyTime {
  timeSpent: number;
  totalTimeSpent: number;
  progress: number;
  totalPoints: number;
  certificateIssued: boolean;
}

/** Seconds since time was last counted; undefined before the first report. */
export type StudyClock = { elapsed: number } | undefined;

/** Locked until the transaction ends; the caller locks the enrollment first. */
export async function lockStudyClock(tx: Tx, userId: number): Promise<StudyClock> {
  const [clock] = await tx
    .select({
      elapsed: sql<number>`extract(epoch from clock_timestamp() - ${studyClocks.countedUntil})::float8`,
    })
    .from(studyClocks)
    .where(eq(studyClocks.userId, userId))
    .for('update');
  return clock;
}

/**
 * Counts study time, at most what has passed since the last report of any tab.
 * @param seconds by the browser
 * @param clock from `lockStudyClock` in this transaction
 * @returns totals in seconds, progress and points
 */
export async function countStudyTime(
  tx: Tx,
  {
    userId,
    courseId,
    lessonId,
    seconds,
  }: { userId: number; courseId: number; lessonId: number; seconds: number },
  clock: StudyClock,
): Promise<StudyTime> {
  const counted = Math.max(0, Math.floor(Math.min(seconds, clock?.elapsed ?? 0, REPORT_MAX_SECONDS)));
  // Independent statements in one round trip.
  const [[progress], [enrollment]] = await Promise.all([
    addLessonTime(tx, userId, courseId, lessonId, counted),
    addCourseTime(tx, userId, courseId, lessonId, counted),
    clock ? moveClock(tx, userId, counted) : tx.insert(studyClocks).values({ userId }).onConflictDoNothing(),
    counted > 0 ? addStudy(tx, userId, { seconds: counted, lessonsCompleted: 0 }) : null,
  ]);
  return { timeSpent: progress!.timeSpent, ...enrollment! };
}

const addLessonTime = (tx: Tx, userId: number, courseId: number, lessonId: number, counted: number) =>
  tx
    .insert(lessonProgress)
    .values({ userId, courseId, lessonId, timeSpent: counted })
    .onConflictDoUpdate({
      target: [lessonProgress.userId, lessonProgress.lessonId],
      set: { timeSpent: sql`${lessonProgress.timeSpent} + excluded.time_spent`, updatedAt: sql`now()` },
    })
    .returning({ timeSpent: lessonProgress.timeSpent });

const addCourseTime = (tx: Tx, userId: number, courseId: number, lessonId: number, counted: number) =>
  tx
    .update(enrollments)
    .set({
      totalTimeSpent: sql`${enrollments.totalTimeSpent} + ${counted}`,
      currentLessonId: lessonId,
      lastAccessedAt: sql`now()`,
    })
    .where(and(eq(enrollments.userId, userId), eq(enrollments.courseId, courseId)))
    .returning({
      totalTimeSpent: enrollments.totalTimeSpent,
      progress: enrollments.progress,
      totalPoints: enrollments.totalPoints,
      certificateIssued: enrollments.certificateIssued,
    });

const moveClock = (tx: Tx, userId: number, counted: number) =>
  tx
    .update(studyClocks)
    .set({
      countedUntil: sql`greatest(${studyClocks.countedUntil} + make_interval(secs => ${counted}),
        clock_timestamp() - make_interval(secs => ${REPORT_SLACK_SECONDS}))`,
    })
    .where(eq(studyClocks.userId, userId));

/** Returns the share watched in percent. */
async function keepWatching(
  tx: Tx,
  userId: number,
  lesson: LearnersLesson,
  video: Report['video'],
): Promise<number | null> {
  const ofLearner = and(eq(lessonProgress.userId, userId), eq(lessonProgress.lessonId, lesson.id));
  const [known] = await tx
    .select({
      watchedIntervals: lessonProgress.watchedIntervals,
      elapsed: sql<number>`coalesce(extract(epoch from clock_timestamp() - ${lessonProgress.watchedAt}), 0)::float8`,
    })
    .from(lessonProgress)
    .where(ofLearner);
  const before = known?.watchedIntervals ?? [];
  if (!video || !known) return watchedPercent(before, lesson.durationSeconds);
  // The parts are stored until the length is known.
  const duration = lesson.durationSeconds ?? 1_000_000;
  const watchedIntervals = addWatched(before, video.watched, {
    duration,
    allowance: known.elapsed * PLAYBACK_RATE_MAX,
  });
  await tx
    .update(lessonProgress)
    .set({
      watchedIntervals,
      videoPosition: Math.floor(Math.min(video.position, duration)),
      watchedAt: sql`clock_timestamp()`,
    })
    .where(ofLearner);
  return watchedPercent(watchedIntervals, lesson.durationSeconds);
}
