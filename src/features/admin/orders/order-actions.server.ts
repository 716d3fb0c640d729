import { and, eq } from 'drizzle-orm';
import type { z } from 'zod';
import { db } from '#db/client.ts';
import { orders, refunds } from '#db/schema/store.ts';
import { type Actor, recordAudit } from '#src/features/account/audit.server.ts';
import { repairOrder } from '#src/features/store/reconciliation/repair-order.server.ts';
import { issueClaimLink } from '#src/features/store/guests/guests.server.ts';
import { findOrder, itemsOf, recordEvent } from '#src/features/store/orders/orders.server.ts';
import { cancelBankOrder } from '#src/features/store/bank/bank-orders.server.ts';
import { flagLine, openFlags, settleFlags } from '#src/features/store/orders/flags.server.ts';
import { isFulfilled, type OrderStatus } from '#src/features/store/orders/orders.ts';
import { queueReceipt, queueRefundDeclined } from '#src/features/store/orders/receipt.server.ts';
import { findRefundRequest } from '#src/features/store/refunds/refund-request.server.ts';
import { refundLine, resendRefund } from '#src/features/store/refunds/refunds.server.ts';
import { counted } from '#src/shared/counted.ts';
import { readersOf } from '#src/features/store/orders/order-access.server.ts';
import { AppError } from '#src/shared/errors.ts';
import { formatCents } from '#src/shared/money.ts';
import type { refundLineCall } from './schema.ts';

/** Refunded, or about to be. */
export const seatsBackOf = (
  itemId: number,
  rows: readonly { orderItemId: number | null; seats: number | null; status: string }[],
) =>
  rows
    .filter((row) => row.orderItemId === itemId && (row.status === 'pending' || row.status === 'succeeded'))
    .reduce((sum, row) => sum + (row.seats ?? 0), 0);

type RefundInput = z.output<NonNullable<typeof refundLineCall.input>>;

const missing = () => new AppError('not_found', 'There is no such order.');

/**
 * In whole or part (decision 21), audited with its outcome.
 * @throws {AppError} not_found, invalid_input, conflict, provider_unavailable
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
 * Before its release; audited.
 * @throws {AppError} as `cancelBankOrder`
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
 * One that did not reach the provider; audited.
 * @throws {AppError} not_found, conflict, provider_unavailable
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
 * A guest's has a new claim link while unclaimed. Audited.
 * @throws {AppError} not_found, conflict
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
 * Aligns an order with the provider (decision 18): payment, refunds, disputes and access. Always audited.
 * @returns a sentence; `settled` is false without the right money
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
 * Audited with a note, which answers a request for a refund by mail.
 * @param flag as read: a newer one stays
 * @throws {AppError} not_found, conflict
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
    if ((await findRefundRequest(orderId, tx))?.isOpen) await queueRefundDeclined(tx, order, note);
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
