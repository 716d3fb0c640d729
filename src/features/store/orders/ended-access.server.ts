import { and, eq, ne } from 'drizzle-orm';
import { db, type Executor } from '#db/client.ts';
import { courses, lessons } from '#db/schema/catalogue.ts';
import { enrollments } from '#db/schema/learn.ts';
import { scenarios } from '#db/schema/scenario.ts';
import { orderItems, orders } from '#db/schema/store.ts';
import { AppError } from '#src/shared/errors.ts';
import { type EndedAccess, endedText } from './ended-access.ts';

type Asked = { courseId: number } | { lessonId: number } | { scenarioId: number };

export async function findEndedAccess(
  userId: number,
  asked: Asked,
  executor: Executor = db(),
): Promise<EndedAccess | null> {
  const courseId =
    'courseId' in asked
      ? asked.courseId
      : 'lessonId' in asked
        ? executor.select({ id: lessons.courseId }).from(lessons).where(eq(lessons.id, asked.lessonId))
        : executor
            .select({ id: lessons.courseId })
            .from(scenarios)
            .innerJoin(lessons, eq(lessons.id, scenarios.lessonId))
            .where(eq(scenarios.id, asked.scenarioId));
  const [row] = await executor
    .select({
      courseId: courses.id,
      courseTitle: courses.title,
      listed: courses.isActive,
      status: enrollments.status,
      orderId: orderItems.orderId,
      refundedAt: orderItems.refundedAt,
      orderStatus: orders.status,
      organisationId: orders.organisationId,
    })
    .from(enrollments)
    .innerJoin(courses, eq(courses.id, enrollments.courseId))
    .leftJoin(orderItems, eq(orderItems.id, enrollments.orderItemId))
    .leftJoin(orders, eq(orders.id, orderItems.orderId))
    .where(
      and(
        eq(enrollments.userId, userId),
        eq(enrollments.courseId, courseId as number),
        ne(enrollments.status, 'active'),
      ),
    );
  if (!row) return null;
  const { status, refundedAt, orderStatus, organisationId, ...facts } = row;
  if (organisationId !== null) return { ...facts, orderId: null, why: 'seat' };
  const isRefunded = refundedAt !== null || orderStatus === 'refunded';
  return { ...facts, why: status === 'suspended' ? 'disputed' : isRefunded ? 'refunded' : 'ended' };
}

export async function findWhyClosed(
  user: { id: number } | null,
  courseId: number | null,
): Promise<{ status: 401 | 403 | 404; ended: EndedAccess | null }> {
  if (!user) return { status: 401, ended: null };
  const ended = courseId === null ? null : await findEndedAccess(user.id, { courseId });
  return { status: ended ? 403 : 404, ended };
}

/**
 * Open pages show this refusal, so it names the reason for lost access.
 * @param usual the text without former access
 */
export async function refusalOf(
  userId: number | undefined,
  asked: Asked,
  usual: AppError,
  executor: Executor = db(),
): Promise<AppError> {
  const ended = userId === undefined ? null : await findEndedAccess(userId, asked, executor);
  return ended ? new AppError(usual.code, endedText(ended)) : usual;
}
