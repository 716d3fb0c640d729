import { eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { prepared } from '#db/client.ts';
import { courses, lessons, pictures } from '#db/schema/catalogue.ts';
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

const pictureReaders = prepared((database) =>
  database
    .select({
      isPublic: sql<boolean>`bool_or(${courses.listed} and (
        position(${pictures.path} in ${courses.description}) > 0
        or exists (
          select from ${lessons}
          where ${lessons.courseId} = ${courses.id} and ${lessons.isPreview}
            and position(${pictures.path} in concat(${lessons.content}, ' ', ${lessons.instructions}, ' ', ${lessons.hints})) > 0
        )))`,
      enrolled: sql<boolean>`bool_or(${enrollments.id} is not null)`,
    })
    .from(pictures)
    .innerJoin(courses, eq(courses.id, pictures.courseId))
    .leftJoin(enrollments, givesAccess(sql.placeholder('viewerId'), courses.id))
    .where(eq(pictures.path, sql.placeholder('path')))
    .prepare('picture_readers'),
);

/**
 * Whether this viewer may have a picture of a course, by the rule of lesson files: administrators, those enrolled in the
 * course, and anyone where a preview lesson or the description of a visible course shows it (decision 32, fault I9).
 *
 * @param path of the picture itself, not of one of its sizes
 */
export async function mayReadPicture(
  path: string,
  viewer: { id: number; role: string } | null,
): Promise<boolean> {
  if (viewer?.role === 'admin') return true;
  const [found] = await pictureReaders().execute({ path, viewerId: viewer?.id ?? 0 });
  return found?.isPublic === true || found?.enrolled === true;
}
