import { and, eq, sql } from 'drizzle-orm';
import type { Tx } from '#db/client.ts';
import { jsonFields } from '#db/json.ts';
import { lessonProgress, regrades } from '#db/schema/learn.ts';
import type { Ruling } from './learn.ts';

/** SQL: of a row of `lesson_progress`; null without one. */
export const ruling = sql<Ruling | null>`(
  select to_json(one) from (select ${jsonFields({
    excused: lessonProgress.excusedReason,
    extraAttempts: lessonProgress.extraAttempts,
    regrade: sql`(select to_json(last) from (
      select ${regrades.grade}, ${regrades.reason} from ${regrades}
      where ${regrades.userId} = ${lessonProgress.userId} and ${regrades.lessonId} = ${lessonProgress.lessonId}
      order by ${regrades.id} desc limit 1) last)`,
  })}) one
  where excused is not null or "extraAttempts" > 0 or regrade is not null)`;

/** The enrollment is locked. */
export async function spendExtraAttempt(tx: Tx, userId: number, lessonId: number): Promise<void> {
  await tx
    .update(lessonProgress)
    .set({ extraAttempts: sql`greatest(0, ${lessonProgress.extraAttempts} - 1)` })
    .where(and(eq(lessonProgress.userId, userId), eq(lessonProgress.lessonId, lessonId)));
}
