import { eq, sql } from 'drizzle-orm';
import type { Executor, Tx } from '#db/client.ts';
import { courses, lessons } from '#db/schema/catalogue.ts';
import { type Actor, recordAudit } from '#src/features/account/audit.server.ts';
import { env } from '#src/server/start/env.ts';

// `isActive` alone puts a course into the store (decision 54). With `PUBLISH_CHECK=required` a wish waits for
// proof.

export interface StoreWish {
  isActive: boolean;
  activateWhenProven: boolean;
}

const CHECK: Actor = { id: null, name: 'Publish check' };

/** Whether a course has lessons and all are proven. */
export async function isCourseProven(executor: Executor, courseId: number): Promise<boolean> {
  const [found] = await executor
    .select({
      isProven: sql<boolean>`coalesce(bool_and(${lessons.provenRevision} is not distinct from ${lessons.revision}), false)`,
    })
    .from(lessons)
    .where(eq(lessons.courseId, courseId));
  return found!.isProven;
}

export function grantedWish(wish: StoreWish, isProven: boolean): StoreWish {
  if (wish.isActive && env().publishCheck === 'required' && !isProven)
    return { isActive: false, activateWhenProven: true };
  if (wish.isActive) return { isActive: true, activateWhenProven: false };
  return wish.activateWhenProven && isProven ? { isActive: true, activateWhenProven: false } : wish;
}

/**
 * Puts a waiting course into the store once all its lessons are proven (decision 54). Audited. The caller
 * locks the course.
 */
export async function followProof(tx: Tx, courseId: number): Promise<void> {
  const [course] = await tx
    .select({ title: courses.title, activateWhenProven: courses.activateWhenProven })
    .from(courses)
    .where(eq(courses.id, courseId));
  if (!course?.activateWhenProven || !(await isCourseProven(tx, courseId))) return;
  await tx
    .update(courses)
    .set({
      isActive: true,
      activateWhenProven: false,
      version: sql`${courses.version} + 1`,
      updatedAt: new Date(),
    })
    .where(eq(courses.id, courseId));
  await recordAudit(tx, CHECK, {
    action: 'course.shown',
    subjectType: 'course',
    subjectId: courseId,
    details: { title: course.title },
  });
}
