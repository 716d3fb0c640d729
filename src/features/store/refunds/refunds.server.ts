import { and, asc, eq, isNull, like, or, sql } from 'drizzle-orm';
import Stripe from 'stripe';
import { z } from 'zod';
import { db, type Tx } from '#db/client.ts';
import { disputes, ledgerEntries, orderItems, orders, refunds } from '#db/schema/store.ts';
import { enrollments } from '#db/schema/learn.ts';
import { retryOnConflict } from '#src/server/database-errors.ts';
import { recordOrder } from '#src/server/webhooks/events.ts';
import type { JobDefinition } from '#src/server/jobs.ts';
import { log } from '#src/server/log.ts';
import { AppError } from '#src/shared/errors.ts';
import { formatCents } from '#src/shared/money.ts';
import { lockBuyer } from '#src/features/store/cart/cart.server.ts';
import { flagOrder, settleFlags } from '#src/features/store/orders/flags.server.ts';
import { SETTLED_EVENTS, type Source } from '#src/features/store/orders/order-events.ts';
import {
  fulfilledStatus,
  isFulfilled,
  lineOfRefund,
  linesEnded,
  mayMove,
} from '#src/features/store/orders/orders.ts';
import {
  bookMovement,
  changeAccess,
  drawNumber,
  findOrder,
  isBooked,
  isGoingBack,
  itemsOf,
  lockOrder,
  moveOrder,
  type Order,
  type OrderItem,
  orderReference,
  recordEvent,
} from '#src/features/store/orders/orders.server.ts';
import { askProvider, disputeState, isStoredFailure } from '#src/features/store/stripe/provider.server.ts';
import { settleSeats } from '#src/features/store/seats/seats.server.ts';
import { queueRefundNotice } from '#src/features/store/orders/receipt.server.ts';

type Refund = typeof refunds.$inferSelect;

/** The states of a refund at the provider that end it; every other one is pending. */
const REFUND_STATUS: Record<string, Refund['status']> = {
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'canceled',
};

/** The state in which our row of a refund at the provider should be. */
export function refundState(refund: Pick<Stripe.Refund, 'status'>): Refund['status'] {
  return REFUND_STATUS[refund.status ?? ''] ?? 'pending';
}

/** A refund that has taken the money or is meant to: what it pays back of its line cannot be paid back again. */
const isLive = (refund: Pick<Refund, 'status'>) =>
  refund.status === 'pending' || refund.status === 'succeeded';

/** A refund that the provider knows. Until then no money is on its way, and access stays. */
const isAtProvider = (refund: Pick<Refund, 'status' | 'providerRefundId'>) =>
  isLive(refund) && refund.providerRefundId !== null;

const sumOf = (rows: readonly { amountCents: number }[]) =>
  rows.reduce((total, row) => total + row.amountCents, 0);

/** What refunds that count leave of a line. */
export function leftOfLine(
  line: Pick<OrderItem, 'id' | 'priceCents'>,
  rows: readonly Pick<Refund, 'orderItemId' | 'amountCents' | 'status'>[],
): number {
  return line.priceCents - sumOf(rows.filter((row) => row.orderItemId === line.id && isLive(row)));
}

/** What refunds that count leave of a whole order, those without a line among them. */
export function leftOfOrder(
  order: Pick<Order, 'totalCents'>,
  rows: readonly Pick<Refund, 'amountCents' | 'status'>[],
): number {
  return Math.max(0, order.totalCents - sumOf(rows.filter(isLive)));
}

/**
 * Makes our books agree with what the provider says about refunds and disputes of a fulfilled order: rows, ledger,
 * access and state follow what is read there, in whatever order the events came (faults P9, P34, P35). A repeat is a
 * no-op.
 */
export async function syncMoneyBack(orderId: number, source: Source): Promise<void> {
  const order = await findOrder(orderId);
  const intentId = order?.stripePaymentIntentId;
  if (!order || !intentId) return;
  const [refundList, disputeList] = await Promise.all([
    askProvider('list refunds', (stripe) => stripe.refunds.list({ payment_intent: intentId, limit: 100 })),
    askProvider('list disputes', (stripe) => stripe.disputes.list({ payment_intent: intentId, limit: 100 })),
  ]);
  // Money that does not fit its order is the only one that is refunded without having been taken in.
  const isUnfulfilled = !isFulfilled(order.status) && refundList.data.length > 0;
  const received = isUnfulfilled ? await receivedCents(intentId) : 0;
  await retryOnConflict(() =>
    db().transaction(async (tx) => {
      const locked = await lockOrder(tx, orderId);
      if (!isFulfilled(locked.status)) {
        await followUnfulfilled(tx, locked, refundList.data, received, source);
        return;
      }
      const items = await itemsOf(orderId, tx);
      await takeInRefunds(tx, locked, items, refundList.data.toReversed(), source);
      await takeInDisputes(tx, locked, disputeList.data.toReversed(), source);
      await settleOrder(tx, locked, items, source);
    }),
  );
}

async function receivedCents(intentId: string): Promise<number> {
  const intent = await askProvider('retrieve intent', (stripe) => stripe.paymentIntents.retrieve(intentId));
  return intent.amount_received;
}

/**
 * A payment that never fitted its order and went back whole ends the order: the buyer is where they were and may try
 * again, and nobody has to look at it any more.
 */
async function followUnfulfilled(
  tx: Tx,
  order: Order,
  found: readonly Stripe.Refund[],
  received: number,
  source: Source,
): Promise<void> {
  if (found.length === 0) return;
  await flagOrder(tx, order.id, { kind: 'refunded_unfulfilled' }, source);
  const back = found
    .filter((refund) => refund.status === 'succeeded')
    .reduce((sum, refund) => sum + refund.amount, 0);
  if (received === 0 || back < received || !mayMove(order.status, 'failed')) return;
  await moveOrder(tx, order, 'failed', {
    type: 'payment_returned',
    source,
    details: { refundedCents: back },
  });
}

/** All refunds of an order, oldest first. */
function refundsOf(tx: Tx, order: Order): Promise<Refund[]> {
  return tx.select().from(refunds).where(eq(refunds.orderId, order.id)).orderBy(asc(refunds.id));
}

async function takeInRefunds(
  tx: Tx,
  order: Order,
  items: readonly OrderItem[],
  found: readonly Stripe.Refund[],
  source: Source,
): Promise<void> {
  const rows = await refundsOf(tx, order);
  // Our own first, so that a refund made elsewhere takes no row that stands for another one.
  const isOwn = (refund: Stripe.Refund) => refund.metadata?.refund_id !== undefined;
  for (const refund of [...found.filter(isOwn), ...found.filter((one) => !isOwn(one))]) {
    const status = refundState(refund);
    let row = rowOf(rows, refund, status);
    if (!row) {
      const line = await findLine(tx, order, items, rows, refund, source);
      const [inserted] = await tx
        .insert(refunds)
        .values({
          orderId: order.id,
          orderItemId: line,
          providerRefundId: refund.id,
          amountCents: refund.amount,
          status,
          reason: refund.reason ?? '',
          // It was told by being all that was left of its line.
          endsAccess: true,
        })
        .returning();
      row = inserted!;
      rows.push(row);
      await recordEvent(tx, order.id, {
        type: 'refund',
        source,
        details: { refundId: refund.id, amountCents: refund.amount, status, itemId: line },
      });
    } else if (row.status !== status || row.providerRefundId === null) {
      // Where too much of the line was paid back otherwise meanwhile, this is money without a line.
      const line = items.find((item) => item.id === row!.orderItemId);
      const others = rows.filter((one) => one !== row);
      const isTaken = line && isLive({ status }) && leftOfLine(line, others) < refund.amount;
      const orderItemId = isTaken ? null : row.orderItemId;
      await tx
        .update(refunds)
        .set({ status, orderItemId, providerRefundId: refund.id, updatedAt: sql`now()` })
        .where(eq(refunds.id, row.id));
      Object.assign(row, { status, orderItemId, providerRefundId: refund.id });
      if (status === 'failed' && !(await isBooked(tx, `refund:${refund.id}`))) {
        await flagOrder(tx, order.id, { kind: 'refund_failed', subject: refund.id }, source);
      }
      await recordEvent(tx, order.id, {
        type: 'refund',
        source,
        details: {
          refundId: refund.id,
          amountCents: refund.amount,
          status,
          itemId: row.orderItemId,
          endsAccess: row.endsAccess,
          ...(row.seats === null ? {} : { seats: row.seats }),
        },
      });
    }
    const isFirst = status === 'succeeded' && !(await isBooked(tx, `refund:${refund.id}`));
    await bookRefund(tx, order, refund, status, source);
    if (isFirst) {
      const line = items.find((item) => item.id === row.orderItemId) ?? null;
      const { endsAccess } = row;
      if (order.organisationId !== null) {
        await recordOrder(tx, {
          organisationId: order.organisationId,
          kind: 'refund',
          occasion: String(row.id),
          data: {
            orderId: order.id,
            refundId: row.id,
            amountCents: refund.amount,
            currency: order.currency,
            line: line?.title ?? null,
            seats: row.seats,
          },
        });
      }
      await queueRefundNotice(tx, order, { id: refund.id, amountCents: refund.amount, endsAccess }, line);
    }
  }
}

/**
 * Our row of a refund at the provider. One that was made by hand there for the same amount stands for a refund that did
 * not get through from here, which would otherwise pay the line back a second time when it is sent again.
 */
function rowOf(rows: readonly Refund[], refund: Stripe.Refund, status: Refund['status']): Refund | undefined {
  const known = rows.find((row) => row.providerRefundId === refund.id);
  if (known) return known;
  const unsent = rows.filter((row) => row.providerRefundId === null);
  const ownRowId = refund.metadata?.refund_id;
  if (ownRowId !== undefined) return unsent.find((row) => String(row.id) === ownRowId);
  if (!isLive({ status })) return undefined;
  return unsent.find((row) => row.status === 'pending' && row.amountCents === refund.amount);
}

/** The line that a refund made outside this site pays back; null where its amount does not say (fault P34). */
async function findLine(
  tx: Tx,
  order: Order,
  items: readonly OrderItem[],
  rows: readonly Refund[],
  refund: Stripe.Refund,
  source: Source,
): Promise<number | null> {
  const open = items.flatMap((item) => {
    const leftCents = leftOfLine(item, rows);
    return leftCents > 0 ? [{ id: item.id, leftCents }] : [];
  });
  // The whole order, or all that is left of it, ends every line by its sum; no single one is meant.
  if (items.length > 1 && refund.amount === order.totalCents) return null;
  const line = lineOfRefund(refund.amount, open);
  if (line !== 'several') return line;
  await flagOrder(tx, order.id, { kind: 'refund_unclear', subject: refund.id }, source);
  return null;
}

async function bookRefund(
  tx: Tx,
  order: Order,
  refund: Stripe.Refund,
  status: Refund['status'],
  source: Source,
): Promise<void> {
  const movement = `refund:${refund.id}`;
  if (status === 'succeeded') {
    await bookMovement(tx, order, movement, refund.amount, { from: 'provider_clearing', to: 'refunds_paid' });
  } else if (status !== 'pending' && (await isBooked(tx, movement))) {
    await bookMovement(tx, order, `${movement}:returned`, refund.amount, {
      from: 'refunds_paid',
      to: 'provider_clearing',
    });
    await flagOrder(tx, order.id, { kind: 'refund_returned', subject: refund.id }, source);
  }
}

async function takeInDisputes(
  tx: Tx,
  order: Order,
  found: readonly Stripe.Dispute[],
  source: Source,
): Promise<void> {
  const rows = await tx.select().from(disputes).where(eq(disputes.orderId, order.id));
  for (const dispute of found) {
    const status = disputeState(dispute);
    if (!status) continue;
    const row = rows.find((one) => one.providerDisputeId === dispute.id);
    if (row?.status === status) continue;
    const closedAt = status === 'open' ? null : new Date();
    if (row) {
      await tx
        .update(disputes)
        .set({ status, closedAt, amountCents: dispute.amount })
        .where(eq(disputes.id, row.id));
    } else {
      await tx.insert(disputes).values({
        orderId: order.id,
        providerDisputeId: dispute.id,
        amountCents: dispute.amount,
        status,
        reason: dispute.reason,
        openedAt: new Date(dispute.created * 1000),
        closedAt,
      });
    }
    await recordEvent(tx, order.id, {
      type: 'dispute',
      source,
      details: { disputeId: dispute.id, status, reason: dispute.reason, amountCents: dispute.amount },
    });
    await bookDispute(tx, order, dispute, status);
  }
}

/** Where the money of a dispute is by its state: withheld while it is open, gone once it is lost. */
const DISPUTED_MONEY = {
  open: { disputes_held: 1, refunds_paid: 0 },
  won: { disputes_held: 0, refunds_paid: 0 },
  lost: { disputes_held: 0, refunds_paid: 1 },
} as const;

/**
 * Books what the state of a dispute changes. A bank may take a decision back, even one that was final, so that the books
 * follow from any state to any other.
 */
async function bookDispute(
  tx: Tx,
  order: Order,
  dispute: Stripe.Dispute,
  status: keyof typeof DISPUTED_MONEY,
): Promise<void> {
  const name = `dispute:${dispute.id}`;
  const booked = await tx
    .select()
    .from(ledgerEntries)
    .where(or(eq(ledgerEntries.movement, name), like(ledgerEntries.movement, `${name}:%`)));
  const movements = new Set(booked.map((entry) => entry.movement)).size;
  for (const account of ['disputes_held', 'refunds_paid'] as const) {
    const is = booked
      .filter((entry) => entry.account === account)
      .reduce((sum, entry) => sum + entry.amountCents, 0);
    const change = DISPUTED_MONEY[status][account] * dispute.amount - is;
    if (change === 0) continue;
    const movement = `${name}:${movements + 1}:${status}:${account}`;
    await bookMovement(tx, order, movement, change, { from: 'provider_clearing', to: account });
  }
}

/** Access and state of a fulfilled order, from its refund and dispute rows. */
async function settleOrder(tx: Tx, order: Order, items: readonly OrderItem[], source: Source): Promise<void> {
  // Another order of the same buyer may give access to the same course.
  if (order.userId !== null) await tx.execute(lockBuyer(order.userId));
  const refundRows = await refundsOf(tx, order);
  const disputeRows = await tx.select().from(disputes).where(eq(disputes.orderId, order.id));
  const live = refundRows.filter(isAtProvider);
  const lost = disputeRows.some((dispute) => dispute.status === 'lost');
  const disputed = disputeRows.some((dispute) => dispute.status === 'open');

  // Access goes with the promise of the money, not only with its arrival.
  const endedIds = linesEnded(order.totalCents, items, live);
  const ended = items.filter((item) => lost || endedIds.has(item.id));
  const kept = items.filter((item) => !ended.includes(item));
  const restored = kept.filter((item) => item.refundedAt !== null);
  for (const item of items) {
    const isBack = ended.includes(item);
    if (isBack === (item.refundedAt !== null)) continue;
    await tx
      .update(orderItems)
      .set({ refundedAt: isBack ? sql`now()` : null })
      .where(eq(orderItems.id, item.id));
  }
  await changeAccess(tx, idsOf(ended), ['active', 'suspended'], 'revoked');
  // Only what a refund revoked comes back with it; what an administrator revoked stays so.
  await changeAccess(tx, idsOf(restored), ['revoked'], 'active');
  for (const item of items.filter((one) => one.seats !== null)) {
    const back = live.filter((row) => row.orderItemId === item.id);
    const paidBack = back.reduce((sum, row) => sum + (row.seats ?? 0), 0);
    await settleSeats(tx, item, ended.includes(item) ? item.seats! : Math.min(item.seats!, paidBack));
  }
  if (disputed) await changeAccess(tx, idsOf(kept), ['active'], 'suspended');
  else await changeAccess(tx, idsOf(kept), ['suspended'], 'active');

  // What a bank took back for good is with the buyer like a refund. Both may be about the same money.
  const refundedCents = Math.min(
    order.totalCents,
    sumOf(refundRows.filter((row) => row.status === 'succeeded')) +
      sumOf(disputeRows.filter((row) => row.status === 'lost')),
  );
  const status = fulfilledStatus({
    totalCents: order.totalCents,
    refundedCents,
    disputes: disputeRows.map((dispute) => dispute.status),
  });
  const isReversal = refundedCents < order.refundedCents;
  const blocked = order.status === 'refunded' && !isReversal;
  let current = order;
  if (order.status === 'refunded' && isReversal && status === 'disputed') {
    // Out of `refunded` the way to a dispute leads through what the refunds alone say.
    const { totalCents } = order;
    const between = fulfilledStatus({ totalCents, refundedCents, disputes: [] });
    current = await moveOrder(tx, order, between, reversal(order, refundedCents, source), { refundedCents });
  }
  if (status === current.status || blocked || !mayMove(current.status, status)) {
    if (refundedCents !== order.refundedCents) {
      await tx.update(orders).set({ refundedCents, updatedAt: sql`now()` }).where(eq(orders.id, order.id));
    }
  } else {
    const event =
      isReversal && status !== 'disputed'
        ? reversal(order, refundedCents, source)
        : { type: SETTLED_EVENTS[status], source, details: { refundedCents } };
    await moveOrder(tx, current, status, event, { refundedCents });
  }
  if (order.userId !== null) await takeOverAccess(tx, order.userId, items);
  await settleBoughtTwice(tx, order, items, refundRows, source);
  await numberCreditNotes(tx, order);
}

/** Gives what went back for good its credit note's number, in the order in which it did (decision 110). */
async function numberCreditNotes(tx: Tx, order: Order): Promise<void> {
  const now = new Date();
  const back = await tx
    .select({ id: refunds.id })
    .from(refunds)
    .where(
      and(eq(refunds.orderId, order.id), eq(refunds.status, 'succeeded'), isNull(refunds.creditNoteNumber)),
    )
    .orderBy(asc(refunds.id));
  for (const { id } of back) {
    const creditNoteNumber = await drawNumber(tx, 'CN', now);
    await tx.update(refunds).set({ creditNoteNumber }).where(eq(refunds.id, id));
  }
  const lost = await tx
    .select({ id: disputes.id })
    .from(disputes)
    .where(
      and(eq(disputes.orderId, order.id), eq(disputes.status, 'lost'), isNull(disputes.creditNoteNumber)),
    )
    .orderBy(asc(disputes.id));
  for (const { id } of lost) {
    const creditNoteNumber = await drawNumber(tx, 'CN', now);
    await tx.update(disputes).set({ creditNoteNumber }).where(eq(disputes.id, id));
  }
}

/** Takes the mark off an order once all that its buyer owned already is paid back. */
async function settleBoughtTwice(
  tx: Tx,
  order: Order,
  items: readonly OrderItem[],
  refundRows: readonly Refund[],
  source: Source,
): Promise<void> {
  const arrived = refundRows.filter(({ status }) => status === 'succeeded');
  const twice = items.filter((item) => item.boughtTwice);
  if (twice.length === 0 || !twice.every((item) => leftOfLine(item, arrived) === 0)) return;
  await settleFlags(tx, order.id, { kind: 'bought_twice', note: 'it is paid back', source });
}

/**
 * Lets another purchase of the same course give the access that the money of this one ended: a buyer keeps what is paid
 * and was not paid back. Access that ended for another reason stays ended.
 */
async function takeOverAccess(tx: Tx, userId: number, items: readonly OrderItem[]): Promise<void> {
  const courseIds = JSON.stringify(items.map((item) => item.courseId));
  await tx.execute(sql`
    update ${enrollments} access set status = 'active', order_item_id = paid.id
    from (
      select distinct on (i.course_id) i.id, i.course_id
      from ${orderItems} i join ${orders} o on o.id = i.order_id
      where o.user_id = ${userId} and o.organisation_id is null and o.status in ('completed', 'partially_refunded', 'refunded')
        and i.refunded_at is null
        and i.course_id in (select jsonb_array_elements_text(${courseIds}::jsonb)::int)
        and not ${isGoingBack(sql`i`)}
      order by i.course_id, i.id
    ) paid
    where access.user_id = ${userId} and access.course_id = paid.course_id and access.status <> 'active'
      and exists (
        select 1 from ${orderItems} holder join ${orders} held on held.id = holder.order_id
        where holder.id = access.order_item_id and holder.id <> paid.id
          and (holder.refunded_at is not null or held.status = 'disputed'))`);
}

/** The log entry of money that was with the buyer, came back, and gave its order back. */
const reversal = (order: Order, refundedCents: number, source: Source) => ({
  type: 'refund_reversed' as const,
  source,
  details: { refundedCents, refundedCentsBefore: order.refundedCents },
});

const idsOf = (items: readonly OrderItem[]) => items.map((item) => item.id);

/** What is asked of a refund. */
export type RefundRequest = {
  reason: string;
  /** Left out for all that is left of the line. */
  amountCents?: number | undefined;
  /** How many seats of the line end; what they cost is the amount. */
  seats?: number | undefined;
  /** Whether access to the course ends; left out, it does once nothing is left of the line. */
  endsAccess?: boolean | undefined;
  /** The same key again is the same refund, whoever repeats it. */
  requestKey?: string | undefined;
  /** The administrator who asked for it; null where the site did. */
  actorId?: number | null;
  source: Source;
};

/**
 * Pays a line of a completed order back through the provider, whole or in part (decision 21); access ends, where it is
 * to, once the refund exists there. Repeating a request pays nothing twice. A refund that does not get through is kept
 * and sent again by the reconciler.
 *
 * @returns what is paid back, and whether access ends with it
 * @throws {AppError} not_found for no such line, invalid_input for more than is left of it, conflict where the order or
 *   line cannot be refunded, provider_unavailable where the refund could not be sent yet
 */
export async function refundLine(
  orderId: number,
  itemId: number,
  request: RefundRequest,
): Promise<Pick<Refund, 'amountCents' | 'endsAccess'>> {
  const order = await findOrder(orderId);
  const item = (await itemsOf(orderId)).find((one) => one.id === itemId);
  if (!order || !item) throw new AppError('not_found', 'There is no such order line.');
  if (!isFulfilled(order.status) || !isRefundable(order) || item.priceCents === 0) {
    throw new AppError('conflict', 'This line was not paid and cannot be refunded.');
  }
  const { row, isNew } = await reserveRefund(order, item, request);
  if (row.status === 'succeeded') return row;
  if (order.payment === 'bank') {
    await creditInvoice(order.id, row.id, request.source);
    return row;
  }
  try {
    if (isNew) await sendRefund(order, row, request.source);
    else await resendRefund(row.id, request.source);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'provider_unavailable') throw error;
    throw new AppError(
      'provider_unavailable',
      'The payment provider cannot be reached. The refund is kept and will be sent again within minutes.',
      { cause: error },
    );
  }
  return row;
}

/**
 * Sends a refund again that may not have reached the provider, unless it is there already: the answer may have been
 * lost, or somebody paid the line back by hand. A refund that is settled in any way is left alone.
 *
 * @param refundId our row
 * @throws {AppError} provider_unavailable where it could not be sent this time either
 */
export async function resendRefund(refundId: number, source: Source): Promise<void> {
  const find = async () => (await db().select().from(refunds).where(eq(refunds.id, refundId)))[0];
  const before = await find();
  if (!before) return;
  // The provider forgets idempotency keys after a day, so only its own list says what is there.
  await syncMoneyBack(before.orderId, source);
  const row = await find();
  if (row?.status !== 'pending' || row.providerRefundId !== null) return;
  const order = await findOrder(row.orderId);
  if (order?.payment === 'bank') return creditInvoice(order.id, row.id, source);
  if (!order?.stripePaymentIntentId) return;
  try {
    await sendRefund(order, row, source);
  } catch (error) {
    // Refused for good: that is written down, and there is nothing left to send.
    if (error instanceof AppError && error.code === 'conflict' && source === 'reconciler') return;
    throw error;
  }
}

/** Whether money can go back: to a card, or off an invoice that a bank transfer pays. */
export const isRefundable = (order: Pick<Order, 'payment' | 'stripePaymentIntentId'>): boolean =>
  order.payment === 'bank' || order.stripePaymentIntentId !== null;

/**
 * Takes a refund off an invoice (decision 110). It is less to pay; what was paid beyond that is sent back by bank, which
 * is a transfer of its own. A repeat changes nothing.
 */
async function creditInvoice(orderId: number, refundId: number, source: Source): Promise<void> {
  await retryOnConflict(() =>
    db().transaction(async (tx) => {
      const order = await lockOrder(tx, orderId);
      const items = await itemsOf(orderId, tx);
      // No provider has a name for it.
      const id = `bank-${refundId}`;
      const [row] = await tx
        .update(refunds)
        .set({ status: 'succeeded', providerRefundId: id, updatedAt: sql`now()` })
        .where(and(eq(refunds.id, refundId), eq(refunds.status, 'pending')))
        .returning();
      if (!row) return;
      const { amountCents, endsAccess, seats, orderItemId: itemId } = row;
      await bookMovement(tx, order, `refund:${id}`, amountCents, { from: 'receivables', to: 'refunds_paid' });
      await recordEvent(tx, orderId, {
        type: 'refund',
        source,
        actorId: row.requestedBy,
        details: {
          refundRow: row.id,
          amountCents,
          status: 'succeeded',
          itemId,
          endsAccess,
          offInvoice: true,
          ...(seats === null ? {} : { seats }),
        },
      });
      await settleOrder(tx, order, items, source);
      const line = items.find((item) => item.id === itemId) ?? null;
      await queueRefundNotice(tx, order, { id, amountCents, endsAccess }, line);
    }),
  );
}

/** Refusals that speak of the refund itself; others (keys, permissions) may pass and leave it to be sent again. */
const REFUSED_FOR_GOOD = new Set([400, 402, 404]);

/** Has the provider make a refund of ours, and follows what came of it. */
async function sendRefund(order: Order, row: Refund, source: Source): Promise<void> {
  const intentId = order.stripePaymentIntentId!;
  try {
    const made = await askProvider('create refund', (stripe) =>
      stripe.refunds.create(
        {
          payment_intent: intentId,
          amount: row.amountCents,
          metadata: { order_id: String(order.id), refund_id: String(row.id) },
        },
        { idempotencyKey: `refund:${orderReference(order)}:${row.id}:${row.failures}` },
      ),
    );
    log.info({ orderId: order.id, itemId: row.orderItemId, refundId: made.id }, 'a line was refunded');
  } catch (error) {
    // The provider repeats a stored failure for a day; only a new key gets past it.
    if (error instanceof AppError && isStoredFailure(error.cause)) {
      await db().transaction(async (tx) => {
        await tx
          .update(refunds)
          .set({ failures: sql`${refunds.failures} + 1` })
          .where(eq(refunds.id, row.id));
        const details = { refundRow: row.id };
        await recordEvent(tx, order.id, { type: 'refund_unanswered', source, details });
      });
    }
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    if (!REFUSED_FOR_GOOD.has(error.statusCode ?? 0)) throw error;
    await giveUpRefund(order, row, error.message, source);
    await syncMoneyBack(order.id, source);
    throw new AppError('conflict', error.message, { cause: error });
  }
  await syncMoneyBack(order.id, source);
}

/** Ends a refund that the provider refused for good (disputed, paid back already) and shows it to the administrators. */
async function giveUpRefund(order: Order, row: Refund, why: string, source: Source): Promise<void> {
  await retryOnConflict(() =>
    db().transaction(async (tx) => {
      await lockOrder(tx, order.id);
      const [ended] = await tx
        .update(refunds)
        .set({ status: 'failed', updatedAt: sql`now()` })
        .where(and(eq(refunds.id, row.id), eq(refunds.status, 'pending'), isNull(refunds.providerRefundId)))
        .returning({ id: refunds.id });
      if (!ended) return;
      await recordEvent(tx, order.id, {
        type: 'refund',
        source,
        actorId: row.requestedBy,
        details: {
          refundRow: row.id,
          amountCents: row.amountCents,
          status: 'failed',
          itemId: row.orderItemId,
          why,
        },
      });
      await flagOrder(tx, order.id, { kind: 'refund_refused', subject: String(row.id) }, source);
    }),
  );
}

/** The row of a refund, made before the provider is asked, so that two requests never take the same money. */
async function reserveRefund(
  order: Order,
  item: OrderItem,
  { amountCents: asked, seats: askedSeats, endsAccess, requestKey, reason, actorId = null }: RefundRequest,
): Promise<{ row: Refund; isNew: boolean }> {
  return retryOnConflict(() =>
    db().transaction(async (tx) => {
      // Events about the same order write its refunds too, and under this lock.
      await lockOrder(tx, order.id);
      const rows = await refundsOf(tx, order);
      const seats = askedSeats === undefined ? null : seatsToEnd(item, rows, askedSeats, requestKey);
      const amountCents = seats === null ? asked : (item.priceCents / item.seats!) * seats;
      const same = requestKey === undefined ? undefined : rows.find((row) => row.requestKey === requestKey);
      if (same) {
        if (same.orderItemId === item.id && same.amountCents === amountCents)
          return { row: same, isNew: false };
        throw new AppError('conflict', 'This request was made for another refund already. Reload the page.');
      }
      const left = leftOfLine(item, rows);
      if (left === 0 && amountCents === undefined) {
        const live = rows.filter((row) => row.orderItemId === item.id && isLive(row));
        return { row: live.find((row) => row.providerRefundId === null) ?? live.at(-1)!, isNew: false };
      }
      // Refunds without a line took of all lines.
      const payable = Math.min(left, leftOfOrder(order, rows));
      if (amountCents !== undefined) checkAmount(amountCents, payable);
      const [row] = await tx
        .insert(refunds)
        .values({
          orderId: order.id,
          orderItemId: item.id,
          amountCents: amountCents ?? left,
          endsAccess: endsAccess ?? (amountCents ?? left) >= payable,
          seats,
          requestKey: requestKey ?? null,
          reason,
          requestedBy: actorId,
        })
        .returning();
      return { row: row!, isNew: true };
    }),
  );
}

/**
 * The seats of a line that a refund asks for, where it has so many left.
 *
 * @throws {AppError} invalid_input
 */
function seatsToEnd(
  item: OrderItem,
  rows: readonly Refund[],
  asked: number,
  requestKey: string | undefined,
): number {
  if (item.seats === null) throw wrongSeats('This line is not about seats');
  const ended = rows
    .filter((row) => row.orderItemId === item.id && isLive(row))
    // The same request again is not more seats.
    .filter((row) => requestKey === undefined || row.requestKey !== requestKey)
    .reduce((sum, row) => sum + (row.seats ?? 0), 0);
  const left = item.seats - ended;
  if (asked > left) throw wrongSeats(`Seats must be at most ${left}: no more are left of this line`);
  return asked;
}

function wrongSeats(message: string): AppError {
  return new AppError('invalid_input', message, { fields: { seats: message } });
}

function checkAmount(amountCents: number, left: number): void {
  if (amountCents <= left) return;
  if (left === 0) throw new AppError('conflict', 'Nothing is left of this line: it is all paid back.');
  const message = `Amount must be at most ${formatCents(left)}: no more is left of this line`;
  throw new AppError('invalid_input', message, { fields: { amount: message } });
}

/** Pays back lines whose course the buyer owned already when the money arrived (fault P19). */
export const refundDuplicatesJob: JobDefinition<
  z.ZodObject<{ orderId: z.ZodNumber; itemIds: z.ZodArray<z.ZodNumber> }>
> = {
  name: 'store.refund-duplicates',
  data: z.object({ orderId: z.number().int(), itemIds: z.array(z.number().int()) }),
  retries: 10,
  retryDelaySeconds: 30,
  leaseSeconds: 120,
  run: async ({ orderId, itemIds }) => {
    const order = await findOrder(orderId);
    if (!order?.stripePaymentIntentId) return;
    const [open] = await db()
      .select({ id: orderItems.id })
      .from(orderItems)
      .where(and(eq(orderItems.orderId, orderId), isNull(orderItems.refundedAt)))
      .limit(1);
    if (!open) return;
    const items = await itemsOf(orderId);
    const refused = await db()
      .select({ orderItemId: refunds.orderItemId })
      .from(refunds)
      .where(and(eq(refunds.orderId, orderId), eq(refunds.status, 'failed')));
    for (const item of items) {
      // What the provider refused is flagged for the administrators, and asking on would only repeat it.
      if (refused.some((row) => row.orderItemId === item.id)) continue;
      if (!itemIds.includes(item.id) || item.priceCents === 0 || item.refundedAt) continue;
      try {
        await refundLine(orderId, item.id, { reason: 'owned already', source: 'system' });
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
        log.warn({ err: error, orderId, itemId: item.id }, 'a line that was bought twice was not paid back');
      }
    }
  },
};
