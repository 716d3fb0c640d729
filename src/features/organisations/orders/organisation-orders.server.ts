import { and, asc, count, desc, eq, gt, isNotNull, or, sql } from 'drizzle-orm';
import { db, type Tx } from '#db/client.ts';
import { courses } from '#db/schema/catalogue.ts';
import { type Billing, organisationMembers, organisations } from '#db/schema/organisations.ts';
import { orders } from '#db/schema/store.ts';
import type { CurrentUser } from '#src/features/account/session.server.ts';
import {
  cancelBankOrder,
  isOutstanding,
  outstandingSql,
  placeBankOrder,
  waitsForRelease,
} from '#src/features/store/bank/bank-orders.server.ts';
import { openPayment } from '#src/features/store/checkout/checkout.server.ts';
import type { Line } from '#src/features/store/checkout/cart-lines.server.ts';
import { readBanks } from '#src/features/store/orders/order-view.server.ts';
import type { Checkout } from '#src/features/store/schema.ts';
import { seatPrice } from '#src/features/store/seats/seat-price.ts';
import { listSeatPriceSteps } from '#src/features/store/seats/seats.server.ts';
import { retryOnConflict } from '#src/server/database-errors.ts';
import { counted } from '#src/shared/counted.ts';
import { AppError } from '#src/shared/errors.ts';
import { parseCount } from '#src/shared/list-query.ts';
import { findOwnOrganisation, lockOrganisation } from '../members.server.ts';
import type { OrganisationOrder, UnpaidOrders } from '../organisations.ts';
import { seatCount } from '../schema.ts';

type Person = Pick<CurrentUser, 'id' | 'email' | 'username'>;

/** Orders in the list of an organisation. */
const ORDERS_SHOWN = 100;

/**
 * Begins (or takes up again) the payment of seats of a course by somebody who runs the organisation. Their price is
 * that of now; what the page believes it to be only serves to notice that it is out of date (decision 15).
 *
 * @throws {AppError} not_found for another organisation, or a course that is not for sale; bad_request for a free one;
 *   what `openPayment` gives
 */
export async function startSeatCheckout(
  user: Person,
  organisationId: number,
  { billing, ...wanted }: { courseId: number; seats: number; amountCents: number; billing: Billing },
): Promise<Checkout> {
  const own = await findOwnOrganisation(user.id, organisationId);
  if (!own) throw new AppError('not_found', 'There is no such organisation.');
  return openPayment({ account: user }, { amountCents: wanted.amountCents }, async (tx) => {
    const line = await seatLine(tx, wanted);
    if (line instanceof AppError) return { refusal: line };
    await keepBilling(tx, organisationId, billing);
    return { lines: [line], notices: [], organisation: { id: organisationId, billing } };
  });
}

/**
 * What the address of a page about buying asks for, `?course=` and `?seats=`, at the price of now; null where it does not
 * say, or the course is not for sale.
 */
export async function readSeatChoice(search: URLSearchParams) {
  const seats = seatCount.safeParse(parseCount(search.get('seats')));
  const courseId = parseCount(search.get('course'));
  if (!seats.success || courseId === null) return null;
  const course = (await coursesWithSeats()).find(({ id }) => id === courseId);
  if (!course) return null;
  const price = seatPrice(course.priceCents, seats.data, await listSeatPriceSteps());
  return { course, seats: seats.data, ...price };
}

/** Seats of a course as a line of an order, at the price of now; or why they cannot be bought. */
async function seatLine(tx: Tx, wanted: { courseId: number; seats: number }): Promise<Line | AppError> {
  const [course] = await tx
    .select({ title: courses.title, priceCents: courses.priceCents })
    .from(courses)
    .where(and(eq(courses.id, wanted.courseId), courses.isActive));
  if (!course) return new AppError('not_found', 'This course is not for sale.');
  if (course.priceCents === 0) {
    return new AppError('bad_request', 'This course is free: people can enroll themselves, without a seat.');
  }
  const { totalCents } = seatPrice(course.priceCents, wanted.seats, await listSeatPriceSteps(tx));
  return {
    courseId: wanted.courseId,
    title: `${course.title} (${counted(wanted.seats, 'seat')})`,
    priceCents: totalCents,
    originalPriceCents: null,
    seats: wanted.seats,
  };
}

/** Keeps whom the next invoice names, but for the number of this purchase order: each order has one of its own. */
async function keepBilling(tx: Tx, organisationId: number, named: Billing): Promise<void> {
  const billing = { ...named, purchaseOrder: '' };
  await tx.update(organisations).set({ billing }).where(eq(organisations.id, organisationId));
}

/** Whom an organisation's next invoices name; null where nobody has said so yet. */
export async function findBilling(organisationId: number): Promise<Billing | null> {
  const [row] = await db()
    .select({ billing: organisations.billing })
    .from(organisations)
    .where(eq(organisations.id, organisationId));
  return row?.billing ? { ...row.billing, purchaseOrder: '' } : null;
}

/**
 * Keeps whom the next invoices of an organisation name; papers that were issued stay as they are.
 *
 * @throws {AppError} not_found for another organisation
 */
export async function setBilling(user: Person, organisationId: number, billing: Billing): Promise<Billing> {
  return db().transaction(async (tx) => {
    await lockOrganisation(tx, user.id, organisationId);
    await keepBilling(tx, organisationId, billing);
    return billing;
  });
}

/**
 * Orders seats of a course that are paid by bank transfer against an invoice (decision 110). Nothing opens before an
 * administrator releases the order or its money is there. The same order again is the one that waits already.
 *
 * @returns the order's number
 * @throws {AppError} not_found for another organisation or a course that is not for sale, bad_request for a free one,
 *   price_changed with the server's `total`, conflict where too many orders wait
 */
export async function orderSeatsByInvoice(
  user: Person,
  organisationId: number,
  { billing, ...wanted }: { courseId: number; seats: number; amountCents: number; billing: Billing },
): Promise<{ orderId: number }> {
  return retryOnConflict(() =>
    db().transaction(async (tx) => {
      await lockOrganisation(tx, user.id, organisationId);
      await keepBilling(tx, organisationId, billing);
      const line = await seatLine(tx, wanted);
      if (line instanceof AppError) throw line;
      const order = await placeBankOrder(tx, user, {
        line,
        organisation: { id: organisationId, billing },
        amountCents: wanted.amountCents,
      });
      return { orderId: order.id };
    }),
  );
}

/**
 * Closes an order by invoice of an organisation that nobody has released.
 *
 * @throws {AppError} not_found for another organisation or order, conflict for one that is released or holds money
 */
export async function cancelOrder(
  user: Person,
  organisationId: number,
  orderId: number,
): Promise<{ message: string }> {
  if (!(await findOwnOrganisation(user.id, organisationId))) {
    throw new AppError('not_found', 'There is no such organisation.');
  }
  return cancelBankOrder({ source: 'buyer', organisationId }, orderId, 'by those who ordered');
}

/** The latest orders of an organisation, of those that came to anything. */
export async function listOrganisationOrders(organisationId: number): Promise<OrganisationOrder[]> {
  const rows = await db()
    .select({
      order: orders,
      title: sql<string>`(select string_agg(i.title, ', ' order by i.id) from order_items i where i.order_id = orders.id)`,
    })
    .from(orders)
    .where(
      and(
        eq(orders.organisationId, organisationId),
        // Cards that were only looked at are no orders.
        or(eq(orders.payment, 'bank'), isNotNull(orders.completedAt)),
      ),
    )
    .orderBy(desc(orders.id))
    .limit(ORDERS_SHOWN);
  const banks = await readBanks(rows.map(({ order }) => order));
  return rows.map(({ order, title }) => ({
    id: order.id,
    createdAt: order.createdAt.toISOString(),
    title,
    totalCents: order.totalCents,
    invoiceNumber: order.invoiceNumber,
    status: order.status,
    bank: banks.get(order.id) ?? null,
  }));
}

/** What waits for payment by transfer of the organisations that a user runs, by their names; those with nothing are left out. */
export function listUnpaid(userId: number): Promise<UnpaidOrders[]> {
  return db()
    .select({
      id: organisations.id,
      name: organisations.name,
      orders: count(),
      cents: sql<number>`sum(${outstandingSql})`.mapWith(Number),
    })
    .from(organisationMembers)
    .innerJoin(organisations, eq(organisations.id, organisationMembers.organisationId))
    .innerJoin(orders, eq(orders.organisationId, organisations.id))
    .where(and(eq(organisationMembers.userId, userId), or(waitsForRelease(), isOutstanding())))
    .groupBy(organisations.id)
    .orderBy(asc(organisations.name), asc(organisations.id));
}

/** The courses of which seats can be bought, by their titles. */
export function coursesWithSeats(): Promise<{ id: number; title: string; priceCents: number }[]> {
  return db()
    .select({ id: courses.id, title: courses.title, priceCents: courses.priceCents })
    .from(courses)
    .where(and(courses.isActive, gt(courses.priceCents, 0)))
    .orderBy(asc(courses.title), asc(courses.id));
}
