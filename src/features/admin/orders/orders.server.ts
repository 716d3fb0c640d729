import { and, asc, desc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { db } from '#db/client.ts';
import { users } from '#db/schema/account.ts';
import { enrollments } from '#db/schema/learn.ts';
import { disputes, ledgerEntries, orderEvents, orderItems, orders, refunds } from '#db/schema/store.ts';
import { type Actor, recordAudit } from '#src/features/account/audit.server.ts';
import { repairOrder } from '#src/features/store/reconciliation/repair-order.server.ts';
import { issueClaimLink } from '#src/features/store/guests/guests.server.ts';
import { findOrder, itemsOf, type Order, recordEvent } from '#src/features/store/orders/orders.server.ts';
import {
  cancelBankOrder,
  isOutstanding,
  waitsForRelease,
} from '#src/features/store/bank/bank-orders.server.ts';
import { readBanks } from '#src/features/store/orders/order-view.server.ts';
import { flagLine, isFlagged, openFlags, settleFlags } from '#src/features/store/orders/flags.server.ts';
import { isFulfilled, type OrderStatus } from '#src/features/store/orders/orders.ts';
import { queueReceipt } from '#src/features/store/orders/receipt.server.ts';
import { isRefundable, refundLine, resendRefund } from '#src/features/store/refunds/refunds.server.ts';
import { leftOfLine, leftOfOrder } from '#src/features/store/refunds/refund-state.server.ts';
import { counted } from '#src/shared/counted.ts';
import { readersOf } from '#src/features/store/orders/order-access.server.ts';
import { AppError } from '#src/shared/errors.ts';
import { formatCents } from '#src/shared/money.ts';
import { ADMIN_PAGE_SIZE, type ListQuery, pageCount } from '#src/shared/list-query.ts';
import { containing, countFound } from '#src/features/admin/shell/list-search.server.ts';
import {
  accountLabel,
  eventBy,
  eventText,
  type LedgerMovement,
  type LineAccess,
  type ListedOrder,
  movementLabel,
  sourceLabel,
  type OrderDetail,
  type OrderFilter,
  type OrderLine,
  type RefundRow,
  readOrderSearch,
} from './orders.ts';
import type { refundLineCall } from './schema.ts';

const PAID = ['completed', 'partially_refunded', 'refunded', 'disputed'] as const satisfies OrderStatus[];

function searched(search: string): SQL | undefined {
  const asked = readOrderSearch(search);
  switch (asked.kind) {
    case 'all':
      return undefined;
    case 'id':
      return eq(orders.id, asked.id);
    case 'payment':
      return eq(orders.stripePaymentIntentId, asked.intentId);
    case 'invoice':
      return /^INV-\d{4}-\d{6,}$/.test(asked.number)
        ? eq(orders.invoiceNumber, asked.number)
        : sql`${orders.invoiceNumber} like ${`%${asked.number.replace(/[\\%_]/g, '\\$&')}%`}`;
    case 'buyer':
      return sql`(${containing(orders.buyerEmail, asked.text)}
        or ${containing(sql`lower(${orders.buyerFirstName} || ' ' || ${orders.buyerLastName})`, asked.text)})`;
  }
}

function filtered(filter: OrderFilter): SQL | undefined {
  if (filter === null) return undefined;
  if (filter === 'flagged') return isFlagged();
  if (filter === 'to_release') return waitsForRelease();
  if (filter === 'invoice_open') return isOutstanding();
  if (filter === 'paid') return inArray(orders.status, [...PAID]);
  return eq(orders.status, filter);
}

/**
 * One page of all orders, newest first. A page past the end counts as the last.
 *
 * @param query `search` takes an order's or invoice's number, a payment's id, or a part of the buyer's email or name
 * @returns the page that is shown with the rows, and how many orders match on all pages, `isMore` where a search has
 *   found more than are counted
 */
export async function listAdminOrders({
  search,
  filter,
  page: asked,
}: ListQuery & { filter: OrderFilter }): Promise<{
  orders: ListedOrder[];
  total: number;
  isMore: boolean;
  page: number;
}> {
  const matching = and(filtered(filter), searched(search));
  const { total, isMore } = await countFound(orders, matching, search !== '');
  const page = Math.min(asked, pageCount(total));
  // The ids alone first: a far page then steps over index entries and not over whole orders.
  const ids = db()
    .select({ id: orders.id })
    .from(orders)
    .where(matching)
    .orderBy(desc(orders.id))
    .limit(ADMIN_PAGE_SIZE)
    .offset((page - 1) * ADMIN_PAGE_SIZE)
    .as('page');
  const rows = await db()
    .select({ order: orders, username: users.username })
    .from(orders)
    .innerJoin(ids, eq(ids.id, orders.id))
    .leftJoin(users, eq(users.id, orders.userId))
    .orderBy(desc(orders.id));
  const shown = rows.map(({ order }) => order.id);
  const [items, flags] = await Promise.all([itemsOfOrders(shown), openFlags(shown)]);
  return {
    total,
    isMore,
    page,
    orders: rows.map(({ order, username }) =>
      listed(
        order,
        username,
        (items.get(order.id) ?? []).map(({ title }) => title),
        flags.get(order.id),
      ),
    ),
  };
}

async function itemsOfOrders(ids: readonly number[]) {
  if (ids.length === 0) return new Map<number, { orderId: number; title: string }[]>();
  const rows = await db()
    .select({ orderId: orderItems.orderId, title: orderItems.title })
    .from(orderItems)
    .where(inArray(orderItems.orderId, [...ids]))
    .orderBy(asc(orderItems.id));
  return Map.groupBy(rows, ({ orderId }) => orderId);
}

function listed(order: Order, username: string | null, titles: string[], flags?: string[]): ListedOrder {
  const isAnonymised = order.anonymisedAt !== null;
  return {
    id: order.id,
    createdAt: order.createdAt.toISOString(),
    buyerName: `${order.buyerFirstName} ${order.buyerLastName}`.trim() || username || '',
    buyerEmail: order.buyerEmail,
    isGuest: order.userId === null && !isAnonymised,
    isAnonymised,
    titles,
    totalCents: order.totalCents,
    refundedCents: order.refundedCents,
    status: order.status,
    invoiceNumber: order.invoiceNumber,
    flag: flagLine(flags),
  };
}

/** Everything about one order, with its log in plain words; null where there is none. */
export async function findAdminOrder(id: number): Promise<OrderDetail | null> {
  const [row] = await db()
    .select({ order: orders, username: users.username })
    .from(orders)
    .leftJoin(users, eq(users.id, orders.userId))
    .where(eq(orders.id, id));
  if (!row) return null;
  const { order, username } = row;
  const [items, refundRows, disputeRows, entries, events, flags, banks] = await Promise.all([
    db()
      .select({ item: orderItems, access: enrollments.status })
      .from(orderItems)
      // A line of seats may have given many people access, each by a seat of its own.
      .leftJoin(enrollments, and(eq(enrollments.orderItemId, orderItems.id), isNull(orderItems.seats)))
      .where(eq(orderItems.orderId, id))
      .orderBy(asc(orderItems.id)),
    db()
      .select({ refund: refunds, requestedBy: users.username })
      .from(refunds)
      .leftJoin(users, eq(users.id, refunds.requestedBy))
      .where(eq(refunds.orderId, id))
      .orderBy(asc(refunds.id)),
    db().select().from(disputes).where(eq(disputes.orderId, id)).orderBy(asc(disputes.id)),
    db().select().from(ledgerEntries).where(eq(ledgerEntries.orderId, id)).orderBy(asc(ledgerEntries.id)),
    db()
      .select({ event: orderEvents, actorName: users.username })
      .from(orderEvents)
      .leftJoin(users, eq(users.id, orderEvents.actorId))
      .where(eq(orderEvents.orderId, id))
      .orderBy(asc(orderEvents.id)),
    openFlags([id]),
    readBanks([order]),
  ]);
  const refundsShown = refundRows.map(
    ({ refund, requestedBy }): RefundRow => ({
      id: refund.id,
      itemId: refund.orderItemId,
      amountCents: refund.amountCents,
      endsAccess: refund.endsAccess,
      status: refund.status,
      isUnsent: refund.status === 'pending' && refund.providerRefundId === null,
      reason: refund.reason,
      requestedBy,
      at: refund.createdAt.toISOString(),
    }),
  );
  const rows = refundRows.map(({ refund }) => refund);
  const lines = items.map(({ item, access }): OrderLine => {
    const left = Math.min(leftOfLine(item, rows), leftOfOrder(order, rows));
    const unsentRefund = refundsShown.find(({ itemId, isUnsent }) => itemId === item.id && isUnsent) ?? null;
    const mayRefund =
      (order.status === 'completed' || order.status === 'partially_refunded') &&
      isRefundable(order) &&
      unsentRefund === null;
    return {
      id: item.id,
      courseId: item.courseId,
      title: item.title,
      bundleTitle: item.bundleTitle,
      priceCents: item.priceCents,
      listPriceCents: item.listPriceCents,
      refundedAt: item.refundedAt?.toISOString() ?? null,
      access: (access ?? 'none') as LineAccess,
      refundedCents: item.priceCents - leftOfLine(item, rows),
      refundableCents: mayRefund ? Math.max(0, left) : 0,
      unsentRefund,
      seats:
        item.seats === null
          ? null
          : { unitCents: item.priceCents / item.seats, left: item.seats - seatsBackOf(item.id, rows) },
    };
  });
  const isPaid = isFulfilled(order.status);
  return {
    ...listed(
      order,
      username,
      lines.map(({ title }) => title),
      flags.get(id),
    ),
    userId: order.userId,
    username,
    completedAt: order.completedAt?.toISOString() ?? null,
    discountCents: order.discountCents,
    taxCents: order.taxCents,
    couponCode: order.couponCode,
    paymentIntentId: order.stripePaymentIntentId,
    payment: order.payment,
    bank: banks.get(id) ?? null,
    billing: order.billing,
    lines,
    refunds: refundsShown,
    disputes: disputeRows.map((dispute) => ({
      id: dispute.providerDisputeId,
      amountCents: dispute.amountCents,
      status: dispute.status,
      reason: dispute.reason,
      at: dispute.openedAt.toISOString(),
    })),
    ledger: movementsOf(entries),
    timeline: events.map(({ event, actorName }) => {
      const facts = { ...event, actorName };
      return { id: event.id, at: event.at.toISOString(), text: eventText(facts), by: eventBy(facts) };
    }),
    can: {
      reconcile: order.stripePaymentIntentId !== null || (isPaid && order.payment === 'card'),
      resendReceipt: isPaid && order.buyerEmail !== '',
      resendClaimLink:
        isPaid &&
        order.userId === null &&
        order.buyerEmail !== '' &&
        lines.some(({ refundedAt }) => refundedAt === null),
    },
  };
}

function movementsOf(entries: readonly (typeof ledgerEntries.$inferSelect)[]): LedgerMovement[] {
  return [...Map.groupBy(entries, ({ movement }) => movement)].map(([movement, pair]) => {
    const to = pair.find(({ amountCents }) => amountCents > 0);
    const from = pair.find(({ amountCents }) => amountCents < 0);
    return {
      movement: movementLabel(movement),
      from: from ? sourceLabel(from.account) : '',
      to: to ? accountLabel(to.account) : '',
      amountCents: to?.amountCents ?? -(from?.amountCents ?? 0),
      at: pair[0]!.at.toISOString(),
    };
  });
}

/** How many seats of a line are paid back or will be. */
const seatsBackOf = (
  itemId: number,
  rows: readonly { orderItemId: number | null; seats: number | null; status: string }[],
) =>
  rows
    .filter((row) => row.orderItemId === itemId && (row.status === 'pending' || row.status === 'succeeded'))
    .reduce((sum, row) => sum + (row.seats ?? 0), 0);

type RefundInput = z.output<NonNullable<typeof refundLineCall.input>>;

const missing = () => new AppError('not_found', 'There is no such order.');

/**
 * Pays one line of an order back through the provider, whole or in part (decision 21), audited with its outcome.
 *
 * @throws {AppError} not_found, invalid_input for more than is left, conflict where it cannot be paid back,
 *   provider_unavailable where the refund is kept and
 *   sent later
 */
export async function refundOrderLine(
  actor: Actor,
  orderId: number,
  { itemId, reason, amount, seats, endsAccess, requestKey }: RefundInput,
): Promise<{ message: string }> {
  const order = await findOrder(orderId);
  const item = (await itemsOf(orderId)).find((one) => one.id === itemId);
  if (!order || !item) throw new AppError('not_found', 'There is no such order line.');
  const asked =
    seats !== undefined
      ? counted(seats, 'seat')
      : amount === undefined
        ? 'what is left'
        : formatCents(amount);
  const audit = (outcome: 'sent' | 'kept' | 'refused', what = asked) =>
    recordAudit(db(), actor, {
      action: 'order.line_refunded',
      subjectType: 'order',
      subjectId: orderId,
      reason,
      details: { order: orderId, title: item.title, amount: what, outcome },
    });
  const request = { reason, amountCents: amount, seats, endsAccess, requestKey };
  let made: Awaited<ReturnType<typeof refundLine>>;
  try {
    made = await refundLine(orderId, itemId, { ...request, actorId: actor.id, source: 'admin' });
  } catch (error) {
    if (error instanceof AppError && error.code === 'provider_unavailable') await audit('kept');
    else if (error instanceof AppError && error.code === 'conflict') await audit('refused');
    throw error;
  }
  const back = formatCents(made.amountCents);
  await audit('sent', back);
  return {
    message: `${back} for “${item.title}” ${order.payment === 'bank' ? 'is taken off the invoice' : 'is on its way to the buyer'}${made.endsAccess ? '' : item.seats === null ? ', who keeps the course' : `; ${counted(seats ?? 0, 'seat ends', 'seats end')}`}.`,
  };
}

/**
 * Closes an order by invoice that is not released, audited.
 *
 * @throws {AppError} what `cancelBankOrder` gives
 */
export async function closeBankOrder(
  actor: Actor,
  orderId: number,
  reason: string,
): Promise<{ message: string }> {
  const closed = await cancelBankOrder({ source: 'admin' }, orderId, reason);
  await recordAudit(db(), actor, {
    action: 'order.cancelled',
    subjectType: 'order',
    subjectId: orderId,
    reason,
    details: { order: orderId },
  });
  return closed;
}

/**
 * Sends a refund of this order again that did not get through to the provider, audited.
 *
 * @throws {AppError} not_found without such a refund, conflict where there is nothing left to send or the provider
 *   refuses, provider_unavailable
 */
export async function resendOrderRefund(
  actor: Actor,
  orderId: number,
  refundId: number,
): Promise<{ message: string }> {
  const find = async () =>
    (
      await db()
        .select()
        .from(refunds)
        .where(and(eq(refunds.id, refundId), eq(refunds.orderId, orderId)))
    )[0];
  const before = await find();
  if (!before) throw new AppError('not_found', 'There is no such refund.');
  if (before.status !== 'pending' || before.providerRefundId !== null) {
    throw new AppError('conflict', 'This refund has reached the payment provider already.');
  }
  await resendRefund(refundId, 'admin');
  await recordAudit(db(), actor, {
    action: 'order.refund_resent',
    subjectType: 'order',
    subjectId: orderId,
    details: { order: orderId, amount: formatCents(before.amountCents) },
  });
  const after = await find();
  return {
    message:
      after?.status === 'succeeded'
        ? `${formatCents(before.amountCents)} was paid back.`
        : `${formatCents(before.amountCents)} is on its way to the buyer.`,
  };
}

/**
 * Mails the receipt of an order again; a guest's brings a new claim link where there is something to claim. Audited.
 *
 * @throws {AppError} not_found, conflict before the order is paid or without an address
 */
export async function resendReceipt(actor: Actor, orderId: number): Promise<{ message: string }> {
  return db().transaction(async (tx) => {
    const order = await findOrder(orderId, tx);
    if (!order) throw missing();
    if (!isFulfilled(order.status)) {
      throw new AppError('conflict', 'This order is not paid, so there is no receipt.');
    }
    const readers = (await readersOf(tx, order)).map(({ to }) => to).join(', ');
    if (readers === '') throw new AppError('conflict', 'This order has no email address.');
    const items = await itemsOf(orderId, tx);
    const claimable =
      order.userId === null &&
      order.organisationId === null &&
      items.some((item) => !item.boughtTwice && item.refundedAt === null);
    await queueReceipt(
      tx,
      order,
      items,
      {
        duplicates: items.filter((item) => item.boughtTwice),
        attached: false,
        claimLink: claimable ? await issueClaimLink(tx, orderId) : null,
      },
      { again: true },
    );
    await recordEvent(tx, orderId, { type: 'receipt_sent', source: 'admin', actorId: actor.id });
    await recordAudit(tx, actor, {
      action: 'order.receipt_resent',
      subjectType: 'order',
      subjectId: orderId,
      details: { order: orderId, email: readers },
    });
    return { message: `The receipt is on its way to ${readers}.` };
  });
}

/**
 * Makes one order agree with the provider (decision 18): completes it where the money is there, takes in refunds and
 * disputes, and gives the buyer the access that is missing. Audited, whatever came of it.
 *
 * @returns what was found, in a sentence; `settled` is false where the money is not there or does not fit the order
 * @throws {AppError} not_found, provider_unavailable
 */
export async function reconcileOrder(
  actor: Actor & { id: number },
  orderId: number,
): Promise<{ message: string; settled: boolean; status: OrderStatus }> {
  const before = await findOrder(orderId);
  if (!before) throw missing();
  let result: { message: string; settled: boolean };
  try {
    result = { ...(await repairOrder(orderId, actor.id)), settled: true };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
    result = { message: error.message, settled: false };
  }
  const { status } = (await findOrder(orderId)) ?? before;
  await recordAudit(db(), actor, {
    action: 'order.reconciled',
    subjectType: 'order',
    subjectId: orderId,
    details: { order: orderId, from: before.status, to: status, found: result.message },
  });
  return { ...result, status };
}

/**
 * Takes the mark for attention off an order, with what was found. Audited.
 *
 * @param flag the mark as it was read: one that has changed since is not taken off unread
 * @throws {AppError} not_found, conflict where the mark is another one by now
 */
export async function settleFlag(
  actor: Actor,
  orderId: number,
  { flag, note }: { flag: string; note: string },
): Promise<{ message: string }> {
  return db().transaction(async (tx) => {
    const [order] = await tx.select().from(orders).where(eq(orders.id, orderId)).for('update');
    if (!order) throw missing();
    const marked = flagLine((await openFlags([orderId], tx)).get(orderId));
    if (marked === null) return { message: 'This order was settled already.' };
    if (marked !== flag) {
      throw new AppError('conflict', 'This order was marked for something else meanwhile. Look at it again.');
    }
    await settleFlags(tx, orderId, { note, source: 'admin', actorId: actor.id });
    await recordAudit(tx, actor, {
      action: 'order.flag_settled',
      subjectType: 'order',
      subjectId: orderId,
      reason: note,
      details: { order: orderId, flag },
    });
    return { message: 'The order is settled.' };
  });
}
