import { and, eq, sql } from 'drizzle-orm';
import type Stripe from 'stripe';
import { db, type Tx } from '#db/client.ts';
import { disputes, ledgerEntries, refunds } from '#db/schema/store.ts';
import { retryOnConflict } from '#src/server/database-errors.ts';
import { recordOrder } from '#src/server/webhooks/events.ts';
import { flagOrder, settleFlags } from '#src/features/store/orders/flags.server.ts';
import type { Source } from '#src/features/store/orders/order-events.ts';
import { isFulfilled, lineOfRefund, mayMove } from '#src/features/store/orders/orders.ts';
import {
  bookMovement,
  findOrder,
  isBooked,
  itemsOf,
  lockOrder,
  moveOrder,
  type Order,
  type OrderItem,
  recordEvent,
} from '#src/features/store/orders/orders.server.ts';
import { askProvider, disputeState } from '#src/features/store/stripe/provider.server.ts';
import { queueRefundNotice } from '#src/features/store/orders/receipt.server.ts';
import { type Refund, isLive, leftOfLine, refundState } from './refund-state.server.ts';
import { settleOrder } from './settlement.server.ts';
import { refundsOf } from './refund-state.server.ts';

/**
 * Rows, ledger, access and state follow the provider, in whatever order events came (faults P9, P34, P35).
 * Idempotent.
 */
export async function syncMoneyBack(orderId: number, source: Source): Promise<void> {
  const order = await findOrder(orderId);
  const intentId = order?.stripePaymentIntentId;
  if (!order || !intentId) return;
  const [refundList, disputeList] = await Promise.all([
    askProvider('list refunds', (stripe) => stripe.refunds.list({ payment_intent: intentId, limit: 100 })),
    askProvider('list disputes', (stripe) => stripe.disputes.list({ payment_intent: intentId, limit: 100 })),
  ]);
  // Misfit money is the only kind that is refunded without a completed order.
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

/** Misfit money that went back whole ends the order; the buyer may try again. */
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

async function takeInRefunds(
  tx: Tx,
  order: Order,
  items: readonly OrderItem[],
  found: readonly Stripe.Refund[],
  source: Source,
): Promise<void> {
  const rows = await refundsOf(tx, order);
  // Our own first, so that a foreign refund takes no row of another one.
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
      const line = items.find((item) => item.id === row!.orderItemId);
      const others = rows.filter((one) => one !== row);
      const isTaken = line && isLive({ status }) && leftOfLine(line, others) < refund.amount;
      const orderItemId = isTaken ? null : row.orderItemId;
      await tx
        .update(refunds)
        .set({ status, orderItemId, providerRefundId: refund.id, updatedAt: sql`now()` })
        .where(eq(refunds.id, row.id));
      Object.assign(row, { status, orderItemId, providerRefundId: refund.id });
      if (status === 'failed' && !(await isBooked(tx, { kind: 'refund', subject: refund.id }))) {
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
    const isFirst = status === 'succeeded' && !(await isBooked(tx, { kind: 'refund', subject: refund.id }));
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
      const told = { id: refund.id, rowId: row.id, amountCents: refund.amount, endsAccess };
      // What was bought twice goes back unasked.
      if (!line?.boughtTwice) await settleFlags(tx, order.id, { kind: 'refund_asked', note: '', source });
      await queueRefundNotice(tx, order, told, line);
    }
  }
}

/** A dashboard refund of the same amount matches our unsent one, which would otherwise pay the line twice. */
function rowOf(rows: readonly Refund[], refund: Stripe.Refund, status: Refund['status']): Refund | undefined {
  const known = rows.find((row) => row.providerRefundId === refund.id);
  if (known) return known;
  const unsent = rows.filter((row) => row.providerRefundId === null);
  const ownRowId = refund.metadata?.refund_id;
  if (ownRowId !== undefined) return unsent.find((row) => String(row.id) === ownRowId);
  if (!isLive({ status })) return undefined;
  return unsent.find((row) => row.status === 'pending' && row.amountCents === refund.amount);
}

/** Null where the amount does not say (fault P34). */
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
  // A whole order's refund ends every line by its sum.
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
  const movement = { kind: 'refund', subject: refund.id } as const;
  if (status === 'succeeded') {
    await bookMovement(tx, order, movement, refund.amount, { from: 'provider_clearing', to: 'refunds_paid' });
  } else if (status !== 'pending' && (await isBooked(tx, movement))) {
    await bookMovement(tx, order, { ...movement, step: 'returned' }, refund.amount, {
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

/** Withheld while open, gone once lost. */
const DISPUTED_MONEY = {
  open: { disputes_held: 1, refunds_paid: 0 },
  won: { disputes_held: 0, refunds_paid: 0 },
  lost: { disputes_held: 0, refunds_paid: 1 },
} as const;

/** Banks reverse even final decisions: any state may follow any other. */
async function bookDispute(
  tx: Tx,
  order: Order,
  dispute: Stripe.Dispute,
  status: keyof typeof DISPUTED_MONEY,
): Promise<void> {
  const booked = await tx
    .select()
    .from(ledgerEntries)
    .where(
      and(
        eq(ledgerEntries.orderId, order.id),
        eq(ledgerEntries.kind, 'dispute'),
        eq(ledgerEntries.subject, dispute.id),
      ),
    );
  const movements = new Set(booked.map((entry) => entry.movement)).size;
  for (const account of ['disputes_held', 'refunds_paid'] as const) {
    const is = booked
      .filter((entry) => entry.account === account)
      .reduce((sum, entry) => sum + entry.amountCents, 0);
    const change = DISPUTED_MONEY[status][account] * dispute.amount - is;
    if (change === 0) continue;
    const step = `${movements + 1}:${status}:${account}`;
    await bookMovement(tx, order, { kind: 'dispute', subject: dispute.id, step }, change, {
      from: 'provider_clearing',
      to: account,
    });
  }
}
