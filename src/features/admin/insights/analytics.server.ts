import {
  type AnyColumn,
  and,
  asc,
  count,
  desc,
  eq,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  ne,
  type SQL,
  sql,
} from 'drizzle-orm';
import { givesAccess } from '#src/features/catalogue/access.server.ts';
import type { z } from 'zod';
import { db } from '#db/client.ts';
import { jsonArray, jsonFields, jsonPrice } from '#db/json.ts';
import { adminRequests, users } from '#db/schema/account.ts';
import { courses } from '#db/schema/catalogue.ts';
import { contactMessages } from '#db/schema/company.ts';
import { assignments, enrollments } from '#db/schema/learn.ts';
import { mailOutbox } from '#db/schema/machinery.ts';
import { orderItems, orders, refunds } from '#db/schema/store.ts';
import { hasToSendBack, waitsForRelease } from '#src/features/store/bank/bank-orders.server.ts';
import { flagLine, isFlagged, openFlags } from '#src/features/store/orders/flags.server.ts';
import { isGoingBack, keptCents, paidBackByLine } from '#src/features/store/orders/orders.server.ts';
import type { OrderStatus } from '#src/features/store/orders/orders.ts';
import { isOwnCourse } from '#src/features/lessons/working-copy.server.ts';
import { isPerson } from '#src/features/catalogue/access.server.ts';
import { centsToDecimal } from '#src/shared/money.ts';
import type { ThingsToDo, WaitingCounts } from '#src/features/admin/shell/admin.ts';
import { hasDeadLink } from '#src/features/authoring/publishing/dead-links.server.ts';
import { hasUnprovenLesson } from '#src/features/authoring/courses/courses.server.ts';
import type { SalesStep, SalesSteps } from './charts.ts';
import { countWaiting } from '#src/features/learn/questions/team-questions.server.ts';
import type { courseAnalyticsCall, Purchase } from './schema.ts';

export const RECENT_PURCHASES = 10;
/** Of each kind in `thingsToDo`. */
const EXAMPLES = 5;

// The provider holds a disputed order's money until it is won.
const EARNED = ['completed', 'partially_refunded'] as const satisfies OrderStatus[];
const BOUGHT = [...EARNED, 'refunded', 'disputed'] as const satisfies OrderStatus[];

const oneRow = sql`(select) one`;

/** Spec 2, spec 9: students have access to a course, revenue is less refunds. */
export async function figures() {
  const [row] = await db()
    .select({
      totalCourses: db().$count(courses, isOwnCourse),
      activeCourses: db().$count(courses, and(isOwnCourse, courses.isActive)),
      totalStudents: sql`(select count(distinct ${enrollments.userId}) from ${enrollments}
        where ${ne(enrollments.status, 'revoked')} and ${isPerson(enrollments.userId)})`.mapWith(Number),
      totalRevenueCents:
        sql`(select coalesce(sum(${orders.totalCents} - ${orders.refundedCents}), 0) from ${orders}
        where ${inArray(orders.status, [...EARNED])})`.mapWith(Number),
    })
    .from(oneRow);
  return row!;
}

/**
 * With hidden courses, by id (spec 3): purchases with access, revenue less refunds. A refund of no single line only lowers the
 * total.
 */
export async function courseAnalytics(): Promise<z.input<typeof courseAnalyticsCall.output>> {
  const sold = db()
    .select({
      courseId: orderItems.courseId,
      purchases: sql<number>`count(*) filter (where ${orderItems.refundedAt} is null)`
        .mapWith(Number)
        .as('purchases'),
      cents: sql<number>`sum(${keptCents(orderItems)})`.mapWith(Number).as('cents'),
    })
    .from(orderItems)
    .innerJoin(orders, eq(orders.id, orderItems.orderId))
    .leftJoin(paidBackByLine(), sql`paid_back.item_id = ${orderItems.id}`)
    .where(inArray(orders.status, [...EARNED]))
    .groupBy(orderItems.courseId)
    .as('sold');
  const rows = await db()
    .select({ courseId: courses.id, title: courses.title, purchases: sold.purchases, cents: sold.cents })
    .from(courses)
    .leftJoin(sold, eq(sold.courseId, courses.id))
    .where(isOwnCourse)
    .orderBy(asc(courses.id));
  return rows.map(({ courseId, title, purchases, cents }) => ({
    courseId,
    title,
    totalPurchases: purchases ?? 0,
    totalRevenue: centsToDecimal(cents ?? 0),
  }));
}

/** Newest first, whatever became of them. */
export async function recentPurchases(limit = RECENT_PURCHASES): Promise<Purchase[]> {
  const rows = await db()
    .select({
      order: orders,
      username: users.username,
      courses: sql<Purchase['courses']>`${jsonArray(sql`
        select ${jsonFields({
          courseId: orderItems.courseId,
          title: orderItems.title,
          price: jsonPrice(orderItems.priceCents),
        })}
        from ${orderItems} where ${orderItems.orderId} = ${orders.id} order by ${orderItems.id}`)}`,
    })
    .from(orders)
    .leftJoin(users, eq(users.id, orders.userId))
    .where(inArray(orders.status, [...BOUGHT]))
    // The index's order.
    .orderBy(sql`${orders.completedAt} desc nulls last`, desc(orders.id))
    .limit(limit);
  return rows.map(({ order, username, courses }) => ({
    orderId: order.id,
    invoiceNumber: order.invoiceNumber,
    purchasedAt: (order.completedAt ?? order.createdAt).toISOString(),
    buyer: {
      name: `${order.buyerFirstName} ${order.buyerLastName}`.trim() || username || '',
      email: order.buyerEmail,
    },
    courses,
    total: centsToDecimal(order.totalCents),
    refunded: centsToDecimal(order.refundedCents),
    status: order.status,
  }));
}

/** Days; reconciliation covers all orders. */
const ACCESS_DAYS = 3;

/** Completed orders whose buyer lacks a course (decision 18). Reconciliation finds what only the provider knows as paid. */
async function paidWithoutAccess(): Promise<number> {
  // Subqueries, not joins: few orders are recent, and each is found by its number.
  const owned = sql`(select count(*) from ${enrollments} where ${givesAccess(orders.userId, orderItems.courseId)}) > 0`;
  const missing = sql`(select count(*) from ${orderItems} where ${orderItems.orderId} = ${orders.id}
    and ${orderItems.refundedAt} is null and ${orderItems.priceCents} > 0
    and not ${owned} and not ${isGoingBack(orderItems)})`;
  return db().$count(
    orders,
    and(
      gt(orders.completedAt, sql`now() - make_interval(days => ${ACCESS_DAYS})`),
      inArray(orders.status, [...EARNED]),
      isNotNull(orders.userId),
      // Free access can be revoked by hand.
      sql`${missing} > 0`,
    ),
  );
}

export async function waitingCounts(): Promise<WaitingCounts> {
  const [row] = await db()
    .select({
      adminRequests: db().$count(adminRequests, eq(adminRequests.status, 'open')),
      newMessages: db().$count(contactMessages, eq(contactMessages.status, 'new')),
      ungraded: db().$count(assignments, and(isNull(assignments.gradedAt), isPerson(assignments.userId))),
      unanswered: countWaiting(),
      ordersToRelease: db().$count(orders, waitsForRelease()),
      ordersToSendBack: db().$count(orders, hasToSendBack()),
      flaggedOrders: db().$count(orders, isFlagged()),
      failedMails: db().$count(mailOutbox, eq(mailOutbox.status, 'failed')),
    })
    .from(oneRow);
  return row!;
}

async function newestListed(having: SQL) {
  const where = and(courses.isActive, having);
  const [count, newest] = await Promise.all([
    db().$count(courses, where),
    db()
      .select({ id: courses.id, title: courses.title })
      .from(courses)
      .where(where)
      .orderBy(desc(courses.id))
      .limit(EXAMPLES),
  ]);
  return { count, newest };
}

export async function thingsToDo(waiting = waitingCounts()): Promise<ThingsToDo> {
  const [
    { flaggedOrders, failedMails, ...counts },
    withoutAccess,
    newestOrders,
    newestMails,
    unproven,
    deadLinks,
  ] = await Promise.all([
    waiting,
    paidWithoutAccess(),
    db().select({ id: orders.id }).from(orders).where(isFlagged()).orderBy(desc(orders.id)).limit(EXAMPLES),
    db()
      .select({
        id: mailOutbox.id,
        recipient: mailOutbox.recipient,
        subject: mailOutbox.subject,
        error: mailOutbox.lastError,
      })
      .from(mailOutbox)
      .where(eq(mailOutbox.status, 'failed'))
      .orderBy(desc(mailOutbox.id))
      .limit(EXAMPLES),
    newestListed(hasUnprovenLesson),
    newestListed(hasDeadLink),
  ]);
  const flags = await openFlags(newestOrders.map(({ id }) => id));
  return {
    ...counts,
    paidWithoutAccess: withoutAccess,
    flaggedOrders: {
      count: flaggedOrders,
      newest: newestOrders.map(({ id }) => ({ id, flag: flagLine(flags.get(id)) ?? '' })),
    },
    failedMails: {
      count: failedMails,
      newest: newestMails.map((mail) => ({ ...mail, error: mail.error ?? '' })),
    },
    unprovenCourses: unproven,
    deadLinks,
  };
}

/** By day or month in UTC; refunds count when they were made. */
export async function salesOverTime({ unit, starts, to }: SalesSteps): Promise<SalesStep[]> {
  const since = new Date(`${starts[0]}T00:00:00Z`);
  const within = (column: AnyColumn) =>
    and(gte(column, since), sql`${column} < (${to}::date + 1)::timestamp at time zone 'utc'`);
  const of = sql.raw(`'${unit}'`);
  // Formatting each row's date would cost more than the grouping.
  const group = (column: AnyColumn) => sql`date_trunc(${of}, ${column} at time zone 'utc')`;
  const step = (column: AnyColumn) => sql<string>`to_char(${group(column)}, 'YYYY-MM-DD')`;
  const sumOf = (column: AnyColumn) => sql<number>`sum(${column})`.mapWith(Number);
  const [paid, paidBack, enrolled] = await Promise.all([
    db()
      .select({ start: step(orders.completedAt), value: sumOf(orders.totalCents) })
      .from(orders)
      .where(within(orders.completedAt))
      .groupBy(group(orders.completedAt)),
    db()
      .select({ start: step(refunds.updatedAt), value: sumOf(refunds.amountCents) })
      .from(refunds)
      .where(and(eq(refunds.status, 'succeeded'), within(refunds.updatedAt)))
      .groupBy(group(refunds.updatedAt)),
    db()
      .select({ start: step(enrollments.enrolledAt), value: count() })
      .from(enrollments)
      .where(and(within(enrollments.enrolledAt), isPerson(enrollments.userId)))
      .groupBy(group(enrollments.enrolledAt)),
  ]);
  // The database names a month by its first day, the chart may start later.
  const named = (start: string) => (unit === 'month' ? `${start.slice(0, 7)}-01` : start);
  const at = (rows: { start: string; value: number }[], start: string) =>
    rows.find((row) => row.start === named(start))?.value ?? 0;
  return starts.map((start) => ({
    start,
    revenueCents: at(paid, start) - at(paidBack, start),
    enrollments: at(enrolled, start),
  }));
}
