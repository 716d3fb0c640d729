import { and, count, eq, inArray, ne, not, sql } from 'drizzle-orm';
import { db, type Executor } from '#db/client.ts';
import { courses } from '#db/schema/catalogue.ts';
import { certificates, enrollments } from '#db/schema/learn.ts';
import { orderItems } from '#db/schema/store.ts';
import { type Actor, recordAudit } from '#src/features/account/audit.server.ts';
import { levelLabel } from '#src/features/catalogue/catalogue.ts';
import { listCourses } from '#src/features/catalogue/catalogue.server.ts';
import { AppError } from '#src/shared/errors.ts';
import { ADMIN_PAGE_SIZE, type AdminCourse, type ListQuery } from './admin.ts';

/**
 * One page of all courses, hidden ones too, newest first. A page past the end counts as the first.
 *
 * @returns the page that is shown with the rows, and how many courses match on all pages
 */
export async function listAdminCourses({
  search,
  page,
}: ListQuery): Promise<{ courses: AdminCourse[]; total: number; page: number }> {
  const { rows, total } = await listCourses({
    search,
    page,
    sort: 'newest',
    pageSize: ADMIN_PAGE_SIZE,
    includeHidden: true,
  });
  if (rows.length === 0 && total > 0) return listAdminCourses({ search, page: 1 });
  const ids = rows.map(({ id }) => id);
  const [owners, kept] = await Promise.all([ownersOf(ids), keptAmong(ids)]);
  return {
    total,
    page,
    courses: rows.map(({ id, title, categoryName, level, priceCents, studentsCount, isActive }) => ({
      id,
      title,
      categoryName,
      level: levelLabel(level),
      priceCents,
      studentsCount,
      isActive,
      owners: owners.get(id) ?? 0,
      isKept: kept.has(id),
    })),
  };
}

async function ownersOf(ids: number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db()
    .select({ courseId: enrollments.courseId, owners: count() })
    .from(enrollments)
    .where(and(inArray(enrollments.courseId, ids), ne(enrollments.status, 'revoked')))
    .groupBy(enrollments.courseId);
  return new Map(rows.map((row) => [row.courseId, row.owners]));
}

/**
 * The courses that deleting must keep: someone owns or owned them, or an order names them. Orders that are not paid
 * count too, because a late payment still completes them (decision 19).
 */
async function keptAmong(ids: number[], executor: Executor = db()): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = await executor
    .select({ id: courses.id })
    .from(courses)
    .where(
      and(
        inArray(courses.id, ids),
        sql`(exists (select from ${enrollments} where ${enrollments.courseId} = ${courses.id})
          or exists (select from ${orderItems} where ${orderItems.courseId} = ${courses.id})
          or exists (select from ${certificates} where ${certificates.courseId} = ${courses.id}))`,
      ),
    );
  return new Set(rows.map(({ id }) => id));
}

const missing = () => new AppError('not_found', 'Course not found');

/**
 * Shows a hidden course or hides a visible one (spec 4), audited.
 *
 * @throws {AppError} not_found without such a course
 */
export async function toggleCourse(actor: Actor, id: number): Promise<{ id: number; isActive: boolean }> {
  return db().transaction(async (tx) => {
    const [course] = await tx
      .update(courses)
      .set({
        isActive: not(courses.isActive),
        // An editor that was opened before would otherwise save the old visibility over this one.
        version: sql`${courses.version} + 1`,
        updatedAt: new Date(),
      })
      .where(eq(courses.id, id))
      .returning({ id: courses.id, title: courses.title, isActive: courses.isActive });
    if (!course) throw missing();
    await recordAudit(tx, actor, {
      action: course.isActive ? 'course.shown' : 'course.hidden',
      subjectType: 'course',
      subjectId: id,
      details: { title: course.title },
    });
    return { id: course.id, isActive: course.isActive };
  });
}

/**
 * Deletes a course: removes it with its lessons where nobody has bought it, hides it and keeps it for its buyers
 * otherwise (decision 30). Audited; hiding what is hidden changes nothing and is not.
 *
 * @throws {AppError} not_found without such a course
 */
export async function deleteCourse(actor: Actor, id: number): Promise<{ outcome: 'removed' | 'hidden' }> {
  return db().transaction(async (tx) => {
    // Held against new orders and enrollments, whose foreign keys wait for this lock.
    const [course] = await tx.select().from(courses).where(eq(courses.id, id)).for('update');
    if (!course) throw missing();
    const isKept = (await keptAmong([id], tx)).has(id);
    if (isKept && !course.isActive) return { outcome: 'hidden' };
    if (isKept) {
      await tx
        .update(courses)
        .set({ isActive: false, version: sql`${courses.version} + 1`, updatedAt: new Date() })
        .where(eq(courses.id, id));
    } else {
      await tx.delete(courses).where(eq(courses.id, id));
    }
    await recordAudit(tx, actor, {
      action: isKept ? 'course.withdrawn' : 'course.deleted',
      subjectType: 'course',
      subjectId: id,
      details: { title: course.title },
    });
    return { outcome: isKept ? 'hidden' : 'removed' };
  });
}
