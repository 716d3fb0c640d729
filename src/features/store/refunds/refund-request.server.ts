import { and, eq, inArray } from 'drizzle-orm';
import { db, type Executor } from '#db/client.ts';
import { orderFlags } from '#db/schema/store.ts';
import { retryOnConflict } from '#src/server/database-errors.ts';
import { shownDate } from '#src/shared/dates.ts';
import { AppError } from '#src/shared/errors.ts';
import { flagOrder } from '#src/features/store/orders/flags.server.ts';
import { findVisibleOrder, type OrderVisitor } from '#src/features/store/orders/order-access.server.ts';
import type { OrderView } from '#src/features/store/orders/order-view.ts';
import { lockOrder, type Order } from '#src/features/store/orders/orders.server.ts';
import { leftOfOrder, type Refund, refundsOf } from './refund-state.server.ts';

/** Of the promise on the course pages. */
const PROMISE_DAYS = 30;

/** One at most for each order. */
export async function refundRequests(orderIds: readonly number[], executor: Executor = db()) {
  const rows = await executor
    .select()
    .from(orderFlags)
    .where(and(inArray(orderFlags.orderId, [...orderIds]), eq(orderFlags.kind, 'refund_asked')));
  return new Map(
    rows.map(({ orderId, createdAt, subject: reason, note: declinedWith, settledAt }) => [
      orderId,
      { askedAt: createdAt.toISOString(), reason, declinedWith, isOpen: settledAt === null },
    ]),
  );
}

export const findRefundRequest = async (orderId: number, executor?: Executor) =>
  (await refundRequests([orderId], executor)).get(orderId) ?? null;

/** What may be asked back until when; null for nothing. */
export function refundPromise(
  order: Order,
  rows: readonly Pick<Refund, 'amountCents' | 'status'>[],
): OrderView['promise'] {
  const until = (order.completedAt?.getTime() ?? 0) + PROMISE_DAYS * 86_400_000;
  const leftCents = leftOfOrder(order, rows);
  const isPaid = order.status === 'completed' || order.status === 'partially_refunded';
  if (!isPaid || order.payment === 'bank' || leftCents === 0 || until <= Date.now()) return null;
  return { leftCents, until: new Date(until).toISOString() };
}

/**
 * Asks for the money of an order back, once.
 * @throws {AppError} not_found, also for administrators who did not buy it; conflict
 */
export async function askRefund(
  visitor: OrderVisitor,
  orderId: number,
  reason: string,
): Promise<{ message: string }> {
  const user = visitor.user && { id: visitor.user.id, role: 'student' as const };
  const found = await findVisibleOrder(String(orderId), { ...visitor, user });
  if (!found) throw new AppError('not_found', 'You have no such order.');
  return retryOnConflict(() =>
    db().transaction(async (tx) => {
      const order = await lockOrder(tx, orderId);
      const known = await findRefundRequest(orderId, tx);
      if (known) throw new AppError('conflict', `You asked for it on ${shownDate(known.askedAt)} already.`);
      if (!refundPromise(order, await refundsOf(tx, order))) {
        const why = `Only what a card paid in the last ${PROMISE_DAYS} days can be asked for.`;
        throw new AppError('conflict', why);
      }
      await flagOrder(tx, orderId, { kind: 'refund_asked', subject: reason }, 'buyer');
      return { message: 'A person looks at your request now, and we mail you the outcome.' };
    }),
  );
}
