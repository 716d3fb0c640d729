import { and, desc, eq, sql } from 'drizzle-orm';
import { db, type Executor, type Tx } from '#db/client.ts';
import { lessonProgress, regrades } from '#db/schema/learn.ts';
import type { Ruling } from './learn.ts';

const ofLearner = (userId: number, lessonId: number) =>
  and(eq(lessonProgress.userId, userId), eq(lessonProgress.lessonId, lessonId));

export async function findRuling(userId: number, lessonId: number): Promise<Ruling | null> {
  const [[progress], [regrade]] = await Promise.all([
    db()
      .select({ excused: lessonProgress.excusedReason, extraAttempts: lessonProgress.extraAttempts })
      .from(lessonProgress)
      .where(ofLearner(userId, lessonId)),
    db()
      .select({ grade: regrades.grade, reason: regrades.reason })
      .from(regrades)
      .where(and(eq(regrades.userId, userId), eq(regrades.lessonId, lessonId)))
      .orderBy(desc(regrades.id))
      .limit(1),
  ]);
  const { excused = null, extraAttempts: more = 0 } = progress ?? {};
  return excused !== null || more > 0 || regrade
    ? { excused, regrade: regrade ?? null, extraAttempts: more }
    : null;
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
