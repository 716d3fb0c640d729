import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Tx } from '#db/client.ts';
import { lessons } from '#db/schema/catalogue.ts';
import { reviewItems } from '#db/schema/review.ts';
import { coding, quiz } from '#src/features/lessons/registry.ts';
import { firstMemory } from './schedule.ts';

export const REVIEWED_TYPES = [quiz.name, coding.name] as const;

/** Equal for all lessons but for the date. */
const FIRST = firstMemory(new Date(0));
const FIRST_DAYS = Math.round((FIRST.due.getTime() - FIRST.lastReview.getTime()) / 86_400_000);

/** Only types that come back; idempotent. */
export async function startReviews(tx: Tx, userId: number, lessonId: number): Promise<void> {
  await tx
    .insert(reviewItems)
    .select(
      tx
        .select({
          userId: sql<number>`${userId}::int`.as('user_id'),
          lessonId: lessons.id,
          due: sql<Date>`now() + make_interval(days => ${FIRST_DAYS})`.as('due'),
          stability: sql<number>`${FIRST.stability}::float8`.as('stability'),
          difficulty: sql<number>`${FIRST.difficulty}::float8`.as('difficulty'),
          reps: sql<number>`1`.as('reps'),
          lapses: sql<number>`0`.as('lapses'),
          lastReview: sql<Date>`now()`.as('last_review'),
          version: sql<number>`0`.as('version'),
          failedRuns: sql<number>`0`.as('failed_runs'),
        })
        .from(lessons)
        .where(and(eq(lessons.id, lessonId), inArray(lessons.type, [...REVIEWED_TYPES]))),
    )
    .onConflictDoNothing();
}
