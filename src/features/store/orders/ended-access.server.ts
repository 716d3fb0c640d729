import { and, eq, ne } from 'drizzle-orm';
import { db } from '#db/client.ts';
import { courses, lessons } from '#db/schema/catalogue.ts';
import { enrollments } from '#db/schema/learn.ts';
import { scenarios } from '#db/schema/scenario.ts';
import { orderItems, orders } from '#db/schema/store.ts';
import type { EndedAccess } from './ended-access.ts';

/** What a page was asked for. */
type Asked = { courseId: number } | { lessonId: number } | { scenarioId: number };

/** Why a user has lost access to what they ask for; null where they never had it, or have it. */
export async function findEndedAccess(userId: number, asked: Asked): Promise<EndedAccess | null> {
  const courseId =
    'courseId' in asked
      ? asked.courseId
      : 'lessonId' in asked
        ? db().select({ id: lessons.courseId }).from(lessons).where(eq(lessons.id, asked.lessonId))
        : db()
            .select({ id: lessons.courseId })
            .from(scenarios)
            .innerJoin(lessons, eq(lessons.id, scenarios.lessonId))
            .where(eq(scenarios.id, asked.scenarioId));
  const [row] = await db()
    .select({
      courseId: courses.id,
      courseTitle: courses.title,
      listed: courses.listed,
      status: enrollments.status,
      orderId: orderItems.orderId,
      refundedAt: orderItems.refundedAt,
      orderStatus: orders.status,
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
  const { status, refundedAt, orderStatus, ...facts } = row;
  const isRefunded = refundedAt !== null || orderStatus === 'refunded';
  return { ...facts, why: status === 'suspended' ? 'disputed' : isRefunded ? 'refunded' : 'ended' };
}
