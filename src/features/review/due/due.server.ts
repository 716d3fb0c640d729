import { and, asc, count, eq, gte, inArray, lte, type SQL, sql } from 'drizzle-orm';
import { db } from '#db/client.ts';
import { currentMoment } from '#db/schema/account.ts';
import { courses, lessons } from '#db/schema/catalogue.ts';
import { enrollments } from '#db/schema/learn.ts';
import { reviewAnswers, reviewItems } from '#db/schema/review.ts';
import { givesAccess } from '#src/features/catalogue/access.server.ts';
import { quiz } from '#src/features/lessons/registry.ts';
import { fitInto, QUEUE_SECONDS, REVIEW_SECONDS } from './schedule.ts';
import { REVIEWED_TYPES } from './start.server.ts';

/** More than a day's queue holds. */
const MOST_OF_A_DAY = Math.ceil(QUEUE_SECONDS / Math.min(...Object.values(REVIEW_SECONDS)));

export const today = sql`date_trunc('day', now() at time zone 'UTC') at time zone 'UTC'`;

/** SQL: of accessible courses (decision 85). */
export const comesBack = (userId: number): SQL =>
  and(eq(reviewItems.userId, userId), inArray(lessons.type, [...REVIEWED_TYPES]))!;

export const secondsOf = (type: string) =>
  type === quiz.name ? REVIEW_SECONDS.question : REVIEW_SECONDS.program;

async function secondsLeftToday(userId: number): Promise<number> {
  const [used] = await db()
    .select({ seconds: sql<number>`coalesce(sum(${reviewAnswers.seconds}), 0)::int` })
    .from(reviewAnswers)
    .where(and(eq(reviewAnswers.userId, userId), gte(reviewAnswers.answeredAt, today)));
  return Math.max(0, QUEUE_SECONDS - used!.seconds);
}

/** All due items, and those that fit into the rest of the day. */
export async function dueToday(userId: number) {
  const isDue = and(comesBack(userId), lte(reviewItems.due, currentMoment));
  const [[all], first, secondsLeft] = await Promise.all([
    db()
      .select({ count: count() })
      .from(reviewItems)
      .innerJoin(lessons, eq(lessons.id, reviewItems.lessonId))
      .innerJoin(enrollments, givesAccess(userId, lessons.courseId))
      .where(isDue),
    db()
      .select({
        lessonId: reviewItems.lessonId,
        version: reviewItems.version,
        type: lessons.type,
        title: lessons.title,
        courseId: lessons.courseId,
        courseTitle: courses.title,
      })
      .from(reviewItems)
      .innerJoin(lessons, eq(lessons.id, reviewItems.lessonId))
      .innerJoin(courses, eq(courses.id, lessons.courseId))
      .innerJoin(enrollments, givesAccess(userId, lessons.courseId))
      .where(isDue)
      .orderBy(asc(reviewItems.due), asc(reviewItems.lessonId))
      .limit(MOST_OF_A_DAY),
    secondsLeftToday(userId),
  ]);
  const due = first.map((item) => ({ ...item, seconds: secondsOf(item.type) }));
  return { dueCount: all!.count, queue: fitInto(due, secondsLeft) };
}

export type DueItem = Awaited<ReturnType<typeof dueToday>>['queue'][number];

/** For pages that only name the number. */
export async function countReviewQueue(
  userId: number,
): Promise<{ dueCount: number; queueCount: number; minutes: number }> {
  const { dueCount, queue } = await dueToday(userId);
  const seconds = queue.reduce((sum, item) => sum + item.seconds, 0);
  return { dueCount, queueCount: queue.length, minutes: Math.max(1, Math.ceil(seconds / 60)) };
}
