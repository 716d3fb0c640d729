import { and, eq, sql } from 'drizzle-orm';
import { db, type Executor, type Tx } from '#db/client.ts';
import { lessonProgress, regrades } from '#db/schema/learn.ts';
import type { Ruling } from './learn.ts';

const ofLearner = (userId: number, lessonId: number) =>
  and(eq(lessonProgress.userId, userId), eq(lessonProgress.lessonId, lessonId));

/** Of rows of `lessons` with the learner's `lesson_progress`; `rulingOf` reads them. */
export const rulingColumns = {
  excused: lessonProgress.excusedReason,
  extraAttempts: lessonProgress.extraAttempts,
  regrade: sql<Ruling['regrade']>`(
    select json_build_object('grade', ${regrades.grade}, 'reason', ${regrades.reason}) from ${regrades}
    where ${regrades.userId} = ${lessonProgress.userId} and ${regrades.lessonId} = ${lessonProgress.lessonId}
    order by ${regrades.id} desc limit 1)`,
};

export function rulingOf({
  excused,
  extraAttempts: more,
  regrade,
}: {
  [Name in keyof Ruling]: Ruling[Name] | null;
}): Ruling | null {
  return excused !== null || more || regrade ? { excused, regrade, extraAttempts: more ?? 0 } : null;
}

export async function findRuling(userId: number, lessonId: number): Promise<Ruling | null> {
  const [row] = await db().select(rulingColumns).from(lessonProgress).where(ofLearner(userId, lessonId));
  return row ? rulingOf(row) : null;
}

/** Beyond those of the lesson. */
export async function extraAttempts(executor: Executor, userId: number, lessonId: number): Promise<number> {
  const [row] = await executor
    .select({ more: lessonProgress.extraAttempts })
    .from(lessonProgress)
    .where(ofLearner(userId, lessonId));
  return row?.more ?? 0;
}

/** The enrollment is locked. */
export async function spendExtraAttempt(tx: Tx, userId: number, lessonId: number): Promise<void> {
  await tx
    .update(lessonProgress)
    .set({ extraAttempts: sql`greatest(0, ${lessonProgress.extraAttempts} - 1)` })
    .where(ofLearner(userId, lessonId));
}
