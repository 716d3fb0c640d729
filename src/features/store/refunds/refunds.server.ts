import { createHash } from 'node:crypto';
import { and, eq, isNull, sql } from 'drizzle-orm';
import Stripe from 'stripe';
import { z } from 'zod';
import { db, type Tx } from '#db/client.ts';
import { orderItems, refunds } from '#db/schema/store.ts';
import { retryOnConflict } from '#src/server/database-errors.ts';
import type { JobDefinition } from '#src/server/jobs.ts';
import { log } from '#src/server/log.ts';
import { AppError } from '#src/shared/errors.ts';
import { formatCents } from '#src/shared/money.ts';
import { flagOrder } from '#src/features/store/orders/flags.server.ts';
import type { Source } from '#src/features/store/orders/order-events.ts';
import { isFulfilled } from '#src/features/store/orders/orders.ts';
import {
  bookMovement,
  findOrder,
  itemsOf,
  lockOrder,
  type Order,
  type OrderItem,
  orderReference,
  recordEvent,
} from '#src/features/store/orders/orders.server.ts';
import { askProvider, isStoredFailure } from '#src/features/store/stripe/provider.server.ts';
import { linesBySeats } from '#src/features/store/seats/seats.server.ts';
import { queueRefundNotice } from '#src/features/store/orders/receipt.server.ts';
import { type Refund, isLive, leftOfLine, leftOfOrder, refundsOf, sumOf } from './refund-state.server.ts';
import { syncMoneyBack } from './provider-sync.server.ts';
import { settleOrder } from './settlement.server.ts';

type RefundRequest = {
  reason: string;
  amountCents?: number | undefined;
  /** Seats to end; their price is the amount. */
  seats?: number | undefined;
  /** Absent: access ends once nothing is left of the line. */
  endsAccess?: boolean | undefined;
  requestKey?: string | undefined;
  actorId?: number | null;
  source: Source;
};

/**
 * Refunds a line whole or in part (decision 21); a bundle's seats with all its lines. Access ends once the provider
 * has the refund. A repeat pays nothing twice; the reconciler resends failures.
 * @throws {AppError} not_found, invalid_input, conflict, provider_unavailable
 */
export async function refundLine(
  orderId: number,
  itemId: number,
  request: RefundRequest,
): Promise<Pick<Refund, 'amountCents' | 'endsAccess'>> {
  const order = await findOrder(orderId);
  const items = await itemsOf(orderId);
  const item = items.find((one) => one.id === itemId);
  if (!order || !item) throw new AppError('not_found', 'There is no such order line.');
  if (!isFulfilled(order.status) || !isRefundable(order) || item.priceCents === 0) {
    throw new AppError('conflict', 'This line was not paid and cannot be refunded.');
  }
  const mates =
    request.seats === undefined ? [] : (linesBySeats(items).find((lines) => lines.includes(item)) ?? []);
  const paid = [item, ...mates.filter((mate) => mate !== item && mate.priceCents > 0)];
  const reserved = await reserveRefunds(order, paid, request);
  for (const one of reserved) await makeRefund(order, one, request.source);
  return {
    amountCents: sumOf(reserved.map(({ row }) => row)),
    endsAccess: reserved.every(({ row }) => row.endsAccess),
  };
}

type Reserved = { row: Refund; isNew: boolean };

async function makeRefund(order: Order, { row, isNew }: Reserved, source: Source): Promise<void> {
  if (row.status === 'succeeded') return;
  if (order.payment === 'bank') return creditInvoice(order.id, row.id, source);
  try {
    if (isNew) await sendRefund(order, row, source);
    else await resendRefund(row.id, source);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'provider_unavailable') throw error;
    throw new AppError(
      'provider_unavailable',
      'The payment provider cannot be reached. The refund is kept and will be sent again within minutes.',
      { cause: error },
    );
  }
}

/**
 * Asks the provider first: the answer may have been lost, or the refund made by hand.
 * @throws {AppError} provider_unavailable
 */
export async function resendRefund(refundId: number, source: Source): Promise<void> {
  const find = async () => (await db().select().from(refunds).where(eq(refunds.id, refundId)))[0];
  const before = await find();
  if (!before) return;
  // Idempotency keys end after a day, so only the provider's list is reliable.
  await syncMoneyBack(before.orderId, source);
  const row = await find();
  if (row?.status !== 'pending' || row.providerRefundId !== null) return;
  const order = await findOrder(row.orderId);
  if (order?.payment === 'bank') return creditInvoice(order.id, row.id, source);
  if (!order?.stripePaymentIntentId) return;
  try {
    await sendRefund(order, row, source);
  } catch (error) {
    if (error instanceof AppError && error.code === 'conflict' && source === 'reconciler') return;
    throw error;
  }
}

export const isRefundable = (order: Pick<Order, 'payment' | 'stripePaymentIntentId'>): boolean =>
  order.payment === 'bank' || order.stripePaymentIntentId !== null;

/** Reduces the amount due (decision 110); overpaid money goes back by bank as its own transfer. */
async function creditInvoice(orderId: number, refundId: number, source: Source): Promise<void> {
  await retryOnConflict(() =>
    db().transaction(async (tx) => {
      const order = await lockOrder(tx, orderId);
      const items = await itemsOf(orderId, tx);
      const id = `bank-${refundId}`;
      const [row] = await tx
        .update(refunds)
        .set({ status: 'succeeded', providerRefundId: id, updatedAt: sql`now()` })
        .where(and(eq(refunds.id, refundId), eq(refunds.status, 'pending')))
        .returning();
      if (!row) return;
      const { amountCents, endsAccess, seats, orderItemId: itemId } = row;
      await bookMovement(tx, order, { kind: 'refund', subject: id }, amountCents, {
        from: 'receivables',
        to: 'refunds_paid',
      });
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
      await queueRefundNotice(tx, order, { id, rowId: row.id, amountCents, endsAccess }, line);
    }),
  );
}

/** About the refund itself; other refusals may pass. */
const REFUSED_FOR_GOOD = new Set([400, 402, 404]);

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
    // The provider repeats a stored failure for a day; a new key gets past it.
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

/** Before the request, so that two requests never take the same money. */
function reserveRefunds(
  order: Order,
  items: readonly OrderItem[],
  request: RefundRequest,
): Promise<Reserved[]> {
  return retryOnConflict(() =>
    db().transaction(async (tx) => {
      // Events write the order's refunds under this lock too.
      await lockOrder(tx, order.id);
      const reserved: Reserved[] = [];
      for (const [index, item] of items.entries()) {
        const key = request.requestKey;
        const requestKey = key === undefined || index === 0 ? key : keyOfMate(key, item.id);
        reserved.push(await reserveRefund(tx, order, item, { ...request, requestKey }));
      }
      return reserved;
    }),
  );
}

/** Deterministic, so that a repeat finds it. */
function keyOfMate(requestKey: string, itemId: number): string {
  const hex = createHash('sha256').update(`${requestKey}:${itemId}`).digest('hex');
  return hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

async function reserveRefund(
  tx: Tx,
  order: Order,
  item: OrderItem,
  { amountCents: asked, seats: askedSeats, endsAccess, requestKey, reason, actorId = null }: RefundRequest,
): Promise<Reserved> {
  const rows = await refundsOf(tx, order);
  const seats = askedSeats === undefined ? null : seatsToEnd(item, rows, askedSeats, requestKey);
  const amountCents = seats === null ? asked : (item.priceCents / item.seats!) * seats;
  const same = requestKey === undefined ? undefined : rows.find((row) => row.requestKey === requestKey);
  if (same) {
    if (same.orderItemId === item.id && same.amountCents === amountCents) return { row: same, isNew: false };
    throw new AppError('conflict', 'This request was made for another refund already. Reload the page.');
  }
  const left = leftOfLine(item, rows);
  if (left === 0 && amountCents === undefined) {
    const live = rows.filter((row) => row.orderItemId === item.id && isLive(row));
    return { row: live.find((row) => row.providerRefundId === null) ?? live.at(-1)!, isNew: false };
  }
  // Refunds without a line took from all lines.
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
}

/** @throws {AppError} invalid_input */
function seatsToEnd(
  item: OrderItem,
  rows: readonly Refund[],
  asked: number,
  requestKey: string | undefined,
): number {
  if (item.seats === null) throw wrongSeats('This line is not about seats');
  const ended = rows
    .filter((row) => row.orderItemId === item.id && isLive(row))
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

/** Fault P19. */
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
