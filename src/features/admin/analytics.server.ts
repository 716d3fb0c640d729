import { and, asc, count, countDistinct, desc, eq, inArray, isNotNull, isNull, ne, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { db } from '#db/client.ts';
import { adminRequests, users } from '#db/schema/account.ts';
import { courses } from '#db/schema/catalogue.ts';
import { contactMessages } from '#db/schema/company.ts';
import { enrollments } from '#db/schema/learn.ts';
import { mailOutbox } from '#db/schema/machinery.ts';
import { orderItems, orders } from '#db/schema/store.ts';
import type { OrderStatus } from '#src/features/store/orders.ts';
import { centsToDecimal } from '#src/shared/money.ts';
import type { ThingsToDo } from './admin.ts';
import type { courseAnalyticsCall, Purchase } from './schema.ts';

/** Purchases in `recentPurchases` at most. */
export const RECENT_PURCHASES = 10;
/** Examples that `thingsToDo` names of each kind at most. */
const EXAMPLES = 5;

// The states in which the money is ours. A disputed order's is held by the provider and counts again once it is won.
const EARNED = ['completed', 'partially_refunded'] as const satisfies OrderStatus[];
const BOUGHT = [...EARNED, 'refunded', 'disputed'] as const satisfies OrderStatus[];

/** The figures at the top of the administrators' page. */
export interface Figures {
  totalCourses: number;
  activeCourses: number;
  /** People who have access to at least one course. */
  totalStudents: number;
  /** Completed orders less what was refunded of them, in cents. */
  totalRevenueCents: number;
}

/** The figures as they stand now (spec 2, spec 9). */
export async function figures(): Promise<Figures> {
  const [[courseRow], [studentRow], [revenueRow]] = await Promise.all([
    db()
      .select({
        total: count(),
        active: sql<number>`count(*) filter (where ${courses.isActive})`.mapWith(Number),
      })
      .from(courses),
    db()
      .select({ total: countDistinct(enrollments.userId) })
      .from(enrollments)
      .where(ne(enrollments.status, 'revoked')),
    db()
      .select({
        cents: sql<number>`coalesce(sum(${orders.totalCents} - ${orders.refundedCents}), 0)`.mapWith(Number),
      })
      .from(orders)
      .where(inArray(orders.status, [...EARNED])),
  ]);
  return {
    totalCourses: courseRow!.total,
    activeCourses: courseRow!.active,
    totalStudents: studentRow!.total,
    totalRevenueCents: revenueRow!.cents,
  };
}

/**
 * What each course has sold, hidden courses too, by id (spec 3). Purchases and revenue are of the same lines: bought in
 * a completed order and not refunded. A refund that fits no single line lowers the total revenue alone.
 */
export async function courseAnalytics(): Promise<z.input<typeof courseAnalyticsCall.output>> {
  const sold = db()
    .select({
      courseId: orderItems.courseId,
      purchases: count().as('purchases'),
      cents: sql<number>`sum(${orderItems.priceCents})`.mapWith(Number).as('cents'),
    })
    .from(orderItems)
    .innerJoin(orders, eq(orders.id, orderItems.orderId))
    .where(and(inArray(orders.status, [...EARNED]), isNull(orderItems.refundedAt)))
    .groupBy(orderItems.courseId)
    .as('sold');
  const rows = await db()
    .select({ courseId: courses.id, title: courses.title, purchases: sold.purchases, cents: sold.cents })
    .from(courses)
    .leftJoin(sold, eq(sold.courseId, courses.id))
    .orderBy(asc(courses.id));
  return rows.map(({ courseId, title, purchases, cents }) => ({
    courseId,
    title,
    totalPurchases: purchases ?? 0,
    totalRevenue: centsToDecimal(cents ?? 0),
  }));
}

/** The last purchases, whatever became of them, newest first. */
export async function recentPurchases(limit = RECENT_PURCHASES): Promise<Purchase[]> {
  const rows = await db()
    .select({ order: orders, username: users.username })
    .from(orders)
    .leftJoin(users, eq(users.id, orders.userId))
    .where(inArray(orders.status, [...BOUGHT]))
    .orderBy(desc(orders.completedAt), desc(orders.id))
    .limit(limit);
  if (rows.length === 0) return [];
  const items = await db()
    .select()
    .from(orderItems)
    .where(
      inArray(
        orderItems.orderId,
        rows.map(({ order }) => order.id),
      ),
    )
    .orderBy(asc(orderItems.id));
  const byOrder = Map.groupBy(items, (item) => item.orderId);
  return rows.map(({ order, username }) => ({
    orderId: order.id,
    invoiceNumber: order.invoiceNumber,
    purchasedAt: (order.completedAt ?? order.createdAt).toISOString(),
    buyer: {
      name: `${order.buyerFirstName} ${order.buyerLastName}`.trim() || username || '',
      email: order.buyerEmail,
    },
    courses: (byOrder.get(order.id) ?? []).map(({ courseId, title, priceCents }) => ({
      courseId,
      title,
      price: centsToDecimal(priceCents),
    })),
    total: centsToDecimal(order.totalCents),
    refunded: centsToDecimal(order.refundedCents),
    status: order.status,
  }));
}

/** What waits for an administrator now. */
export async function thingsToDo(): Promise<ThingsToDo> {
  const flagged = isNotNull(orders.flag);
  const failed = eq(mailOutbox.status, 'failed');
  const [requests, messages, orderCount, newestOrders, mailCount, newestMails] = await Promise.all([
    db().$count(adminRequests, eq(adminRequests.status, 'open')),
    db().$count(contactMessages, eq(contactMessages.status, 'new')),
    db().$count(orders, flagged),
    db()
      .select({ id: orders.id, flag: orders.flag })
      .from(orders)
      .where(flagged)
      .orderBy(desc(orders.id))
      .limit(EXAMPLES),
    db().$count(mailOutbox, failed),
    db()
      .select({
        id: mailOutbox.id,
        recipient: mailOutbox.recipient,
        subject: mailOutbox.subject,
        error: mailOutbox.lastError,
      })
      .from(mailOutbox)
      .where(failed)
      .orderBy(desc(mailOutbox.id))
      .limit(EXAMPLES),
  ]);
  return {
    adminRequests: requests,
    newMessages: messages,
    flaggedOrders: {
      count: orderCount,
      newest: newestOrders.map(({ id, flag }) => ({ id, flag: flag ?? '' })),
    },
    failedMails: {
      count: mailCount,
      newest: newestMails.map((mail) => ({ ...mail, error: mail.error ?? '' })),
    },
  };
}
