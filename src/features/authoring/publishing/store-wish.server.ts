import { eq, sql } from 'drizzle-orm';
import type { Executor, Tx } from '#db/client.ts';
import { courses, lessons } from '#db/schema/catalogue.ts';
import { type Actor, recordAudit } from '#src/features/account/audit.server.ts';
import { env } from '#src/server/start/env.ts';

// A course is in the store when `isActive` says so, and for no other reason (decision 54). It may be asked for once every
// lesson is proven; with `PUBLISH_CHECK=required` that is what every wish for the store means.

/** What is kept of a wish for the store. */
export interface StoreWish {
  isActive: boolean;
  activateWhenProven: boolean;
}

const CHECK: Actor = { id: null, name: 'Publish check' };

/** Whether a course has lessons and each of them is proven as it is now. */
export async function isCourseProven(executor: Executor, courseId: number): Promise<boolean> {
  const [found] = await executor
    .select({
      isProven: sql<boolean>`coalesce(bool_and(${lessons.provenRevision} is not distinct from ${lessons.revision}), false)`,
    })
    .from(lessons)
    .where(eq(lessons.courseId, courseId));
  return found!.isProven;
}

/** What a wish comes to for a course that is proven or not. */
export function grantedWish(wish: StoreWish, isProven: boolean): StoreWish {
  if (wish.isActive && env().publishCheck === 'required' && !isProven)
    return { isActive: false, activateWhenProven: true };
  if (wish.isActive) return { isActive: true, activateWhenProven: false };
  return wish.activateWhenProven && isProven ? { isActive: true, activateWhenProven: false } : wish;
}

/**
 * Brings a course that waits for its proof into the store after the last lesson was proven or an unproven one removed.
 * Audited. The caller holds the course. Nothing takes a course off the store but whoever hides it (decision 54).
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
