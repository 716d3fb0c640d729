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
import { bundlesById, linesOf, shownBundles } from '#src/features/store/bundles/bundles.server.ts';
import { notOffered } from '#src/features/store/bundles/bundles.ts';
import { splitByWeight } from '#src/features/store/coupons/coupons.ts';
import { openPayment } from '#src/features/store/checkout/checkout.server.ts';
import type { Line } from '#src/features/store/checkout/cart-lines.server.ts';
import { readBanks } from '#src/features/store/orders/order-view.server.ts';
import type { Checkout } from '#src/features/store/checkout/schema.ts';
import { seatPrice } from '#src/features/store/seats/seat-price.ts';
import { type SeatThing, thingName } from '#src/features/store/seats/seat-thing.ts';
import { listSeatPriceSteps } from '#src/features/store/seats/seats.server.ts';
import { retryOnConflict } from '#src/server/database-errors.ts';
import { counted } from '#src/shared/counted.ts';
import { AppError } from '#src/shared/errors.ts';
import { findOwnOrganisation, lockOrganisation } from '../members.server.ts';
import type { OrganisationOrder, UnpaidOrders } from '../organisations.ts';
import { quotedCents } from './quotes.server.ts';
import { chooseSeats, readSeatRows, type SeatChoice, type SeatOffer } from '../seats/seat-choice.ts';

type Person = Pick<CurrentUser, 'id' | 'email' | 'username'>;

const ORDERS_SHOWN = 100;

type SeatOrder = {
  lines: readonly (SeatThing & { seats: number })[];
  amountCents: number;
  billing: Billing;
};

/**
 * Begins (or takes up again) the payment of seats by somebody who runs the organisation. Their price is
 * that of now; what the page believes it to be only serves to notice that it is out of date (decision 15).
 *
 * @throws {AppError} not_found for another organisation, or what is not for sale; bad_request for a free course; what
 *   `openPayment` gives
 */
export async function startSeatCheckout(
  user: Person,
  organisationId: number,
  { billing, lines: wanted, amountCents }: SeatOrder,
): Promise<Checkout> {
  const own = await findOwnOrganisation(user.id, organisationId);
  if (!own) throw new AppError('not_found', 'There is no such organisation.');
  return openPayment({ account: user }, { amountCents }, async (tx) => {
    const lines = await seatLines(tx, organisationId, wanted);
    if (lines instanceof AppError) return { refusal: lines };
    await keepBilling(tx, organisationId, billing);
    return { lines, notices: [], organisation: { id: organisationId, billing } };
  });
}

/**
 * What the address of a page about buying asks for, `?of=course-12&seats=5` as often as wanted, at the prices of now or,
 * where that is less, of a quote; null where it does not say, or something is not for sale.
 */
export async function readSeatChoice(
  organisationId: number,
  search: URLSearchParams,
): Promise<SeatChoice | null> {
  const wanted = readSeatRows(search);
  if (wanted.length === 0) return null;
  const [things, steps] = await Promise.all([thingsWithSeats(), listSeatPriceSteps()]);
  const choice = chooseSeats(wanted, things, steps);
  if (!choice) return null;
  const quoted = await quotedCents(db(), organisationId, choice.lines);
  return quoted.size === 0 ? choice : chooseSeats(wanted, things, steps, quoted);
}

/** Seats as lines of an order, at the prices of now; or why they cannot be bought. */
async function seatLines(
  tx: Tx,
  organisationId: number,
  wanted: SeatOrder['lines'],
): Promise<Line[] | AppError> {
  const quoted = await quotedCents(tx, organisationId, wanted);
  const steps = await listSeatPriceSteps(tx);
  const ordered = wanted.reduce((sum, { seats }) => sum + seats, 0);
  const lines: Line[] = [];
  for (const { courseId, bundleId, seats } of wanted) {
    const bought = bundleId == null ? await courseLine(tx, courseId!) : await bundleLines(tx, bundleId);
    if (bought instanceof AppError) return bought;
    const list = seatPrice(bought.priceCents, seats, steps, ordered).unitCents;
    const unitCents = Math.min(list, quoted.get(thingName({ courseId, bundleId })) ?? list);
    // So that each seat of a bundle costs the same, what one costs is split.
    const shares = splitByWeight(
      unitCents,
      bought.lines.map(({ priceCents }) => priceCents),
    );
    lines.push(
      ...bought.lines.map((line, index) => {
        const priceCents = shares[index]! * seats;
        const fullCents = line.priceCents * seats;
        return {
          ...line,
          title: `${line.title} (${counted(seats, 'seat')})`,
          priceCents,
          fullPriceCents: fullCents > priceCents ? fullCents : null,
          originalPriceCents: null,
          seats,
        };
      }),
    );
  }
  return lines;
}

type Bought = { priceCents: number; lines: Line[] };

async function courseLine(tx: Tx, courseId: number): Promise<Bought | AppError> {
  const [course] = await tx
    .select({ title: courses.title, priceCents: courses.priceCents })
    .from(courses)
    .where(and(eq(courses.id, courseId), courses.isActive));
  if (!course) return new AppError('not_found', 'This course is not for sale.');
  if (course.priceCents === 0) {
    return new AppError('bad_request', 'This course is free: people can enroll themselves, without a seat.');
  }
  return { priceCents: course.priceCents, lines: [{ courseId, originalPriceCents: null, ...course }] };
}

async function bundleLines(tx: Tx, bundleId: number): Promise<Bought | AppError> {
  const bundle = (await bundlesById([bundleId], tx)).get(bundleId);
  const lines = bundle && linesOf(bundle);
  if (!lines) return new AppError('not_found', 'This bundle is not for sale.');
  return { priceCents: bundle.priceCents, lines };
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
 * Orders seats that are paid by bank transfer against an invoice (decision 110). Nothing opens before an
 * administrator releases the order or its money is there. The same order again is the one that waits already.
 *
 * @returns the order's number
 * @throws {AppError} not_found for another organisation or what is not for sale, bad_request for a free course,
 *   price_changed with the server's `total`, conflict where too many orders wait
 */
export async function orderSeatsByInvoice(
  user: Person,
  organisationId: number,
  { billing, lines: wanted, amountCents }: SeatOrder,
): Promise<{ orderId: number }> {
  return retryOnConflict(() =>
    db().transaction(async (tx) => {
      await lockOrganisation(tx, user.id, organisationId);
      await keepBilling(tx, organisationId, billing);
      const lines = await seatLines(tx, organisationId, wanted);
      if (lines instanceof AppError) throw lines;
      const organisation = { id: organisationId, billing };
      const order = await placeBankOrder(tx, user, { lines, organisation, amountCents });
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

/** Of what seats can be bought: courses, then bundles, each by their titles. */
export async function thingsWithSeats(): Promise<SeatOffer[]> {
  const [singles, bundles] = await Promise.all([
    db()
      .select({ courseId: courses.id, title: courses.title, priceCents: courses.priceCents })
      .from(courses)
      .where(and(courses.isActive, gt(courses.priceCents, 0)))
      .orderBy(asc(courses.title), asc(courses.id)),
    shownBundles(),
  ]);
  const offered = bundles
    .filter((bundle) => notOffered(bundle) === null)
    .toSorted((a, b) => a.title.localeCompare(b.title));
  return [
    ...singles,
    ...offered.map(({ id, title, priceCents, courses: all }) => ({
      bundleId: id,
      title,
      priceCents,
      courses: all.map((course) => course.title),
    })),
  ];
}
