import {
  type AnyColumn,
  and,
  asc,
  count,
  countDistinct,
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
import { coursesWithDeadLinks } from '#src/features/authoring/publishing/dead-links.server.ts';
import { unprovenCourses } from '#src/features/authoring/publishing/publish-report.server.ts';
import type { SalesStep, SalesSteps } from './charts.ts';
import { countWaiting } from '#src/features/learn/questions/team-questions.server.ts';
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
      .from(courses)
      .where(isOwnCourse),
    db()
      .select({ total: countDistinct(enrollments.userId) })
      .from(enrollments)
      .where(and(ne(enrollments.status, 'revoked'), isPerson(enrollments.userId))),
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
 * What each course has sold, hidden courses too, by id (spec 3). Purchases are lines of completed orders that still give
 * access; revenue is what was paid for a line and not paid back. A refund that fits no single line lowers the total
 * revenue alone.
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

/** The last purchases, whatever became of them, newest first. */
export async function recentPurchases(limit = RECENT_PURCHASES): Promise<Purchase[]> {
  const rows = await db()
    .select({ order: orders, username: users.username })
    .from(orders)
    .leftJoin(users, eq(users.id, orders.userId))
    .where(inArray(orders.status, [...BOUGHT]))
    // As the index has it.
    .orderBy(sql`${orders.completedAt} desc nulls last`, desc(orders.id))
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

/** Days back to which orders are looked at for missing access at every visit; reconciliation looks at all of them. */
const ACCESS_DAYS = 3;

/**
 * Orders of the last days that are completed and whose buyer cannot open a course that was not paid back (decision 18).
 * What is paid at the provider alone is found and settled by reconciliation.
 */
async function paidWithoutAccess(): Promise<number> {
  // Counts in brackets, not joins: few orders are recent, and each is looked up by its own number instead of reading
  // every line and enrollment there is.
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
      // What was free can be taken back by hand, and is not looked for.
      sql`${missing} > 0`,
    ),
  );
}

/** Counts what waits for an administrator, in one statement: each page of the administration shows it. */
export async function waitingCounts(): Promise<WaitingCounts> {
  const counts = {
    adminRequests: db().$count(adminRequests, eq(adminRequests.status, 'open')),
    newMessages: db().$count(contactMessages, eq(contactMessages.status, 'new')),
    ungraded: db().$count(assignments, and(isNull(assignments.gradedAt), isPerson(assignments.userId))),
    unanswered: countWaiting(),
    ordersToRelease: db().$count(orders, waitsForRelease()),
    ordersToSendBack: db().$count(orders, hasToSendBack()),
    flaggedOrders: db().$count(orders, isFlagged()),
    failedMails: db().$count(mailOutbox, eq(mailOutbox.status, 'failed')),
  } satisfies Record<keyof WaitingCounts, SQL>;
  const columns = Object.entries(counts).map(([name, found]) => sql`${found} as ${sql.identifier(name)}`);
  const [row] = await db().execute<Record<keyof WaitingCounts, string>>(
    sql`select ${sql.join(columns, sql`, `)}`,
  );
  return Object.fromEntries(
    Object.entries(row!).map(([name, found]) => [name, Number(found)]),
  ) as unknown as WaitingCounts;
}

/** What waits for an administrator now. */
export async function thingsToDo(): Promise<ThingsToDo> {
  const failed = eq(mailOutbox.status, 'failed');
  const [
    { flaggedOrders, failedMails, ...counts },
    withoutAccess,
    newestOrders,
    newestMails,
    unproven,
    deadLinks,
  ] = await Promise.all([
    waitingCounts(),
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
      .where(failed)
      .orderBy(desc(mailOutbox.id))
      .limit(EXAMPLES),
    unprovenCourses(EXAMPLES),
    coursesWithDeadLinks(EXAMPLES),
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

/**
 * Revenue and enrollments of each day or month, in UTC. Revenue is what was paid in that time less what was paid back in
 * it, whatever orders it belonged to.
 */
export async function salesOverTime({ unit, starts, to }: SalesSteps): Promise<SalesStep[]> {
  const since = new Date(`${starts[0]}T00:00:00Z`);
  const within = (column: AnyColumn) =>
    and(gte(column, since), sql`${column} < (${to}::date + 1)::timestamp at time zone 'utc'`);
  const of = sql.raw(`'${unit}'`);
  // Grouped by the moment and named afterwards: a name for each row would cost more than the rows.
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
  // The first month may be shown from a later day on; the database names it by its first.
  const named = (start: string) => (unit === 'month' ? `${start.slice(0, 7)}-01` : start);
  const at = (rows: { start: string; value: number }[], start: string) =>
    rows.find((row) => row.start === named(start))?.value ?? 0;
  return starts.map((start) => ({
    start,
    revenueCents: at(paid, start) - at(paidBack, start),
    enrollments: at(enrolled, start),
  }));
}
