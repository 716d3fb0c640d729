import { and, desc, eq, gte, sql } from 'drizzle-orm';
import { db, prepared, type Tx } from '#db/client.ts';
import { enrollments, lessonProgress, studyClocks, studyDays } from '#db/schema/learn.ts';
import { retryOnConflict } from '#src/server/database-errors.ts';
import { CALENDAR_WEEKS, type StudyRecord, streaks, utcDay } from './activity.ts';
import { type LearnersLesson, addStudy, lockLearnersLesson } from './learn.server.ts';
import { watchedPercent } from './learn.ts';
import { addWatched, PLAYBACK_RATE_MAX } from './watching.ts';

/** Seconds that one report can claim at most: reports come every twenty. */
const REPORT_MAX_SECONDS = 60;
/** Seconds by which a report may come later than the time it tells of; they stay countable for the next one. */
const REPORT_SLACK_SECONDS = 2;
/** Days of which the streak is made, at most. */
const STREAK_DAYS = 1000;

interface Report {
  seconds: number;
  video?: { position: number; watched: [number, number][] } | undefined;
}

/**
 * Keeps what a learner's browser reports of their work on a lesson: the time, in the lesson, the course and the day,
 * and how much of a video was watched. Nothing is believed beyond what the server's own clock allows (decision 34).
 *
 * @throws {AppError} not_found where the learner has no such lesson
 */
export async function recordActivity(userId: number, lessonId: number, { seconds, video }: Report) {
  return retryOnConflict(() =>
    db().transaction(async (tx) => {
      const lesson = await lockLearnersLesson(tx, userId, lessonId);
      const time = await countStudyTime(tx, { userId, courseId: lesson.courseId, lessonId, seconds });
      const watched = lesson.type === 'video' ? await keepWatching(tx, userId, lesson, video) : null;
      return { ...time, watchedPercent: watched };
    }),
  );
}

/**
 * Counts time that a learner spent on a lesson, no more than has passed since time was last counted for them, in
 * whichever tab or lesson. The caller holds the enrollment's lock. Gives the totals in seconds.
 *
 * @param seconds as the browser measured them
 */
export async function countStudyTime(
  tx: Tx,
  {
    userId,
    courseId,
    lessonId,
    seconds,
  }: { userId: number; courseId: number; lessonId: number; seconds: number },
): Promise<{ timeSpent: number; totalTimeSpent: number }> {
  const [clock] = await tx
    .select({
      elapsed: sql<number>`extract(epoch from clock_timestamp() - ${studyClocks.countedUntil})::float8`,
    })
    .from(studyClocks)
    .where(eq(studyClocks.userId, userId))
    .for('update');
  if (!clock) await tx.insert(studyClocks).values({ userId }).onConflictDoNothing();
  const counted = Math.max(0, Math.floor(Math.min(seconds, clock?.elapsed ?? 0, REPORT_MAX_SECONDS)));
  if (clock) {
    await tx
      .update(studyClocks)
      .set({
        countedUntil: sql`greatest(${studyClocks.countedUntil} + make_interval(secs => ${counted}),
          clock_timestamp() - make_interval(secs => ${REPORT_SLACK_SECONDS}))`,
      })
      .where(eq(studyClocks.userId, userId));
  }
  const [progress] = await tx
    .insert(lessonProgress)
    .values({ userId, courseId, lessonId, timeSpent: counted })
    .onConflictDoUpdate({
      target: [lessonProgress.userId, lessonProgress.lessonId],
      set: { timeSpent: sql`${lessonProgress.timeSpent} + ${counted}`, updatedAt: sql`now()` },
    })
    .returning({ timeSpent: lessonProgress.timeSpent });
  const [enrollment] = await tx
    .update(enrollments)
    .set({
      totalTimeSpent: sql`${enrollments.totalTimeSpent} + ${counted}`,
      currentLessonId: lessonId,
      lastAccessedAt: sql`now()`,
    })
    .where(and(eq(enrollments.userId, userId), eq(enrollments.courseId, courseId)))
    .returning({ totalTimeSpent: enrollments.totalTimeSpent });
  if (counted > 0) await addStudy(tx, userId, { seconds: counted, lessonsCompleted: 0 });
  return { timeSpent: progress!.timeSpent, totalTimeSpent: enrollment!.totalTimeSpent };
}

/** Merges what a player reports into what is known, and keeps where it stopped. Gives the share watched in percent. */
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
  // Without a known length there is no share to compute; the parts are kept for the day it is known.
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

const daysOfUser = prepared((database) =>
  database
    .select({ day: studyDays.day, seconds: studyDays.seconds, lessonsCompleted: studyDays.lessonsCompleted })
    .from(studyDays)
    .where(and(eq(studyDays.userId, sql.placeholder('userId')), gte(studyDays.day, sql.placeholder('since'))))
    .orderBy(desc(studyDays.day))
    .limit(STREAK_DAYS)
    .prepare('study_days_of_user'),
);

/** What a learner did, by day. */
export async function studyRecord(userId: number, now = new Date()): Promise<StudyRecord> {
  const daysBefore = (count: number) => utcDay(new Date(now.getTime() - count * 86_400_000));
  const rows = await daysOfUser().execute({ userId, since: daysBefore(STREAK_DAYS) });
  const studied = rows.filter(({ seconds, lessonsCompleted }) => seconds > 0 || lessonsCompleted > 0);
  const first = daysBefore(7 * CALENDAR_WEEKS);
  const days = studied.filter(({ day }) => day > first);
  return {
    today: utcDay(now),
    days,
    streak: streaks(
      studied.map(({ day }) => day),
      utcDay(now),
    ),
    seconds: days.reduce((sum, { seconds }) => sum + seconds, 0),
  };
}
