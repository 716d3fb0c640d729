import { and, eq, sql } from 'drizzle-orm';
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
 * Brings the store in line after lessons were proven, found faulty or removed: a course that waits for its proof comes in,
 * and where the check is required one that lost it waits again. Audited. The caller holds the course.
 *
 * @param foundFault whether a check has just found a fault that nobody let pass
 */
export async function followProof(tx: Tx, courseId: number, foundFault = false): Promise<void> {
  const [course] = await tx
    .select({
      title: courses.title,
      isActive: courses.isActive,
      activateWhenProven: courses.activateWhenProven,
    })
    .from(courses)
    .where(eq(courses.id, courseId));
  if (!course) return;
  const comesIn = course.activateWhenProven && (await isCourseProven(tx, courseId));
  const goesOut = course.isActive && foundFault && env().publishCheck === 'required';
  if (!comesIn && !goesOut) return;
  await tx
    .update(courses)
    .set({
      isActive: comesIn,
      activateWhenProven: !comesIn,
      version: sql`${courses.version} + 1`,
      updatedAt: new Date(),
    })
    .where(and(eq(courses.id, courseId), eq(courses.isActive, !comesIn)));
  await recordAudit(tx, CHECK, {
    action: comesIn ? 'course.shown' : 'course.hidden',
    subjectType: 'course',
    subjectId: courseId,
    details: { title: course.title },
  });
}
