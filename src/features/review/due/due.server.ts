import { and, inArray, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { jsonArray, jsonFields, preparedJson } from '#db/json.ts';
import { currentMoment } from '#db/schema/account.ts';
import { courses, lessons } from '#db/schema/catalogue.ts';
import { enrollments } from '#db/schema/learn.ts';
import { reviewAnswers, reviewItems } from '#db/schema/review.ts';
import { givesAccess } from '#src/features/catalogue/access.server.ts';
import { type LessonType, quiz } from '#src/features/lessons/registry.ts';
import { fitInto, QUEUE_SECONDS, REVIEW_SECONDS } from './schedule.ts';
import { REVIEWED_TYPES } from './start.server.ts';

/** More than a day's queue holds. */
const MOST_OF_A_DAY = Math.ceil(QUEUE_SECONDS / Math.min(...Object.values(REVIEW_SECONDS)));

export const today = sql`date_trunc('day', now() at time zone 'UTC') at time zone 'UTC'`;

/** SQL: of accessible courses (decision 85). */
export const comesBack = (userId: number | SQLWrapper): SQL =>
  and(sql`${reviewItems.userId} = ${userId}`, inArray(lessons.type, [...REVIEWED_TYPES]))!;

export const secondsOf = (type: string) =>
  type === quiz.name ? REVIEW_SECONDS.question : REVIEW_SECONDS.program;

const userId = sql.placeholder('userId');
const dueItems = sql`
  from ${reviewItems} inner join ${lessons} on ${lessons.id} = ${reviewItems.lessonId}
  inner join ${courses} on ${courses.id} = ${lessons.courseId}
  inner join ${enrollments} on ${givesAccess(userId, lessons.courseId)}
  where ${comesBack(userId)} and ${reviewItems.due} <= ${currentMoment}`;

/** SQL of the placeholder `userId`; `queueOf` reads them. */
export const dueFields = {
  dueCount: sql`(select count(*)::int ${dueItems})`,
  secondsUsed: sql`(
    select coalesce(sum(${reviewAnswers.seconds}), 0)::int from ${reviewAnswers}
    where ${reviewAnswers.userId} = ${userId} and ${reviewAnswers.answeredAt} >= ${today})`,
  first: jsonArray(sql`
    select ${jsonFields({
      lessonId: reviewItems.lessonId,
      version: reviewItems.version,
      type: lessons.type,
      title: lessons.title,
      courseId: lessons.courseId,
      courseTitle: courses.title,
    })} ${dueItems} order by ${reviewItems.due}, ${reviewItems.lessonId} limit ${sql.raw(String(MOST_OF_A_DAY))}`),
};

export type DueRow = {
  dueCount: number;
  secondsUsed: number;
  first: {
    lessonId: number;
    version: number;
    type: LessonType;
    title: string;
    courseId: number;
    courseTitle: string;
  }[];
};

/** All due items, and those that fit into the rest of the day. */
export function queueOf({ dueCount, secondsUsed, first }: DueRow) {
  const due = first.map((item) => ({ ...item, seconds: secondsOf(item.type) }));
  return { dueCount, queue: fitInto(due, Math.max(0, QUEUE_SECONDS - secondsUsed)) };
}

export type DueItem = ReturnType<typeof queueOf>['queue'][number];

const dueOfLearner = preparedJson<DueRow>('due_of_learner', sql`select ${jsonFields(dueFields)}`);

export async function readDue(learnerId: number): Promise<DueRow> {
  const [row] = await dueOfLearner({ userId: learnerId });
  return row!;
}

/** For pages that only name the number. */
export function countedQueue(row: DueRow): { dueCount: number; queueCount: number; minutes: number } {
  const { dueCount, queue } = queueOf(row);
  const seconds = queue.reduce((sum, item) => sum + item.seconds, 0);
  return { dueCount, queueCount: queue.length, minutes: Math.max(1, Math.ceil(seconds / 60)) };
}
