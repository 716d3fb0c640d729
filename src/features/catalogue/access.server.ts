import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { enrollments } from '#db/schema/learn.ts';

/**
 * SQL: the condition on a row of `enrollments` under which it gives access now. A dispute suspends it, a refund or an
 * administrator revokes it; the row stays, with the progress.
 *
 * @param userId whose; every row of all users where it is left out
 * @param courseId to which course; to any where it is left out
 */
export function givesAccess(userId?: number | SQLWrapper, courseId?: number | SQLWrapper): SQL {
  const parts = [sql`${enrollments.status} = 'active'`];
  if (userId !== undefined) parts.push(sql`${enrollments.userId} = ${userId}`);
  if (courseId !== undefined) parts.push(sql`${enrollments.courseId} = ${courseId}`);
  return sql.join(parts, sql` and `);
}

/** SQL: whether this user has access to this course now. */
export function hasAccess(userId: number | SQLWrapper, courseId: number | SQLWrapper): SQL<boolean> {
  return sql<boolean>`exists (select from ${enrollments} where ${givesAccess(userId, courseId)})`;
}
