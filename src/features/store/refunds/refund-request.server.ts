import { and, eq } from 'drizzle-orm';
import { db, type Executor } from '#db/client.ts';
import { orderFlags } from '#db/schema/store.ts';
import { retryOnConflict } from '#src/server/database-errors.ts';
import { shownDate } from '#src/shared/dates.ts';
import { AppError } from '#src/shared/errors.ts';
import { flagOrder } from '#src/features/store/orders/flags.server.ts';
import { findVisibleOrder, type OrderVisitor } from '#src/features/store/orders/order-access.server.ts';
import type { RefundRequest } from '#src/features/store/orders/order-view.ts';
import { lockOrder, type Order } from '#src/features/store/orders/orders.server.ts';
import { leftOfOrder, type Refund, refundsOf } from './refund-state.server.ts';

/** Of the promise on the course pages. */
const PROMISE_DAYS = 30;

/** Null before it is made; there is one for each order. */
export async function findRefundRequest(
  orderId: number,
  executor: Executor = db(),
): Promise<RefundRequest | null> {
  const [row] = await executor
    .select()
    .from(orderFlags)
    .where(and(eq(orderFlags.orderId, orderId), eq(orderFlags.kind, 'refund_asked')));
  if (!row) return null;
  const { createdAt, subject: reason, note: declinedWith, settledAt } = row;
  return { askedAt: createdAt.toISOString(), reason, declinedWith, isOpen: settledAt === null };
}

/** @returns what may be asked back until when; null for nothing, and for bank orders */
export function refundPromise(
  order: Order,
  rows: readonly Pick<Refund, 'amountCents' | 'status'>[],
): { leftCents: number; until: string } | null {
  const until = (order.completedAt?.getTime() ?? 0) + PROMISE_DAYS * 86_400_000;
  const leftCents = leftOfOrder(order, rows);
  const isPaid = order.status === 'completed' || order.status === 'partially_refunded';
  if (!isPaid || order.payment === 'bank' || leftCents === 0 || until <= Date.now()) return null;
  return { leftCents, until: new Date(until).toISOString() };
}

/**
 * Asks an administrator for the money of an order back, once.
 * @throws {AppError} not_found, also for administrators who did not buy it; conflict
 */
export async function askRefund(
  visitor: OrderVisitor,
  orderId: number,
  reason: string,
): Promise<{ message: string }> {
  const user = visitor.user && { id: visitor.user.id, role: 'student' as const };
  if (!(await findVisibleOrder(String(orderId), { ...visitor, user }))) {
    throw new AppError('not_found', 'You have no such order.');
  }
  return retryOnConflict(() =>
    db().transaction(async (tx) => {
      const order = await lockOrder(tx, orderId);
      const known = await findRefundRequest(orderId, tx);
      if (known) {
        throw new AppError('conflict', `You asked for this money on ${shownDate(known.askedAt)} already.`);
      }
      if (!refundPromise(order, await refundsOf(tx, order))) {
        throw new AppError(
          'conflict',
          `Only what was paid by card in the last ${PROMISE_DAYS} days, and did not go back yet, can be asked for.`,
        );
      }
      await flagOrder(tx, orderId, { kind: 'refund_asked', subject: reason }, 'buyer');
      return { message: 'A person looks at your request now, and we mail you the outcome.' };
    }),
  );
}
