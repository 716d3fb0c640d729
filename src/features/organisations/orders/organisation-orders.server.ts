import { and, asc, count, desc, eq, gt, isNotNull, not, or, sql } from 'drizzle-orm';
import { opensLater } from '#src/features/catalogue/access.server.ts';
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
import { notYetSold } from '#src/features/store/cart/cart.server.ts';
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
 * Starts or resumes a payment of seats at today's prices; the page's total only detects outdated ones (decision 15).
 * @throws {AppError} not_found, bad_request, as `openPayment`
 */
export async function startSeatCheckout(
  user: Person,
  organisationId: number,
  { billing, lines: wanted, amountCents }: SeatOrder,
): Promise<Checkout> {
  const own = await findOwnOrganisation(user.id, organisationId);
  if (!own) throw new AppError('not_found', 'There is no such organization.');
  return openPayment({ account: user }, { amountCents }, async (tx) => {
    const lines = await seatLines(tx, organisationId, wanted);
    if (lines instanceof AppError) return { refusal: lines };
    await keepBilling(tx, organisationId, billing);
    return { lines, notices: [], organisation: { id: organisationId, billing } };
  });
}

/** `?of=course-12&seats=5`, repeatable, at today's prices or a lower quote; null where it is incomplete or not for sale. */
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

/** Lines at today's prices, or why they cannot be bought. */
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
    // Each seat of a bundle has the same split.
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
    .select({ title: courses.title, priceCents: courses.priceCents, isLater: opensLater })
    .from(courses)
    .where(and(eq(courses.id, courseId), courses.isActive));
  if (!course) return new AppError('not_found', 'This course is not for sale.');
  const { isLater, ...line } = course;
  if (isLater) return notYetSold();
  if (course.priceCents === 0) {
    return new AppError('bad_request', 'This course is free: people can enroll themselves, without a seat.');
  }
  return {
    priceCents: course.priceCents,
    lines: [{ courseId, originalPriceCents: null, ...line }],
  };
}

async function bundleLines(tx: Tx, bundleId: number): Promise<Bought | AppError> {
  const bundle = (await bundlesById([bundleId], tx)).get(bundleId);
  const lines = bundle && linesOf(bundle);
  if (!lines) return new AppError('not_found', 'This bundle is not for sale.');
  return { priceCents: bundle.priceCents, lines };
}

/** Without the number of the purchase order: each order has its own. */
async function keepBilling(tx: Tx, organisationId: number, named: Billing): Promise<void> {
  const billing = { ...named, purchaseOrder: '' };
  await tx.update(organisations).set({ billing }).where(eq(organisations.id, organisationId));
}

/** Null before the first details. */
export async function findBilling(organisationId: number): Promise<Billing | null> {
  const [row] = await db()
    .select({ billing: organisations.billing })
    .from(organisations)
    .where(eq(organisations.id, organisationId));
  return row?.billing ? { ...row.billing, purchaseOrder: '' } : null;
}

/**
 * Issued papers stay as they are.
 * @throws {AppError} not_found
 */
export async function setBilling(user: Person, organisationId: number, billing: Billing): Promise<Billing> {
  return db().transaction(async (tx) => {
    await lockOrganisation(tx, user.id, organisationId);
    await keepBilling(tx, organisationId, billing);
    return billing;
  });
}

/**
 * Orders seats for bank transfer (decision 110); they open on release or payment. A repeat returns the waiting order.
 * @returns the order's number
 * @throws {AppError} not_found, bad_request, price_changed, conflict
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
 * Only before its release.
 * @throws {AppError} not_found, conflict
 */
export async function cancelOrder(
  user: Person,
  organisationId: number,
  orderId: number,
): Promise<{ message: string }> {
  if (!(await findOwnOrganisation(user.id, organisationId))) {
    throw new AppError('not_found', 'There is no such organization.');
  }
  return cancelBankOrder({ source: 'buyer', organisationId }, orderId, 'by those who ordered');
}

/** Without abandoned ones. */
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
        // Abandoned card payments are no orders.
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

/** By name; organizations without unpaid orders are left out. */
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

/** Courses, then bundles, by title. */
export async function thingsWithSeats(): Promise<SeatOffer[]> {
  const [singles, bundles] = await Promise.all([
    db()
      .select({ courseId: courses.id, title: courses.title, priceCents: courses.priceCents })
      .from(courses)
      .where(and(courses.isActive, gt(courses.priceCents, 0), not(opensLater)))
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
