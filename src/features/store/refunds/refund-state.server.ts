import { asc, eq } from 'drizzle-orm';
import type { Tx } from '#db/client.ts';
import type Stripe from 'stripe';
import { refunds } from '#db/schema/store.ts';
import type { Order, OrderItem } from '#src/features/store/orders/orders.server.ts';

export type Refund = typeof refunds.$inferSelect;

const REFUND_STATUS: Record<string, Refund['status']> = {
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'canceled',
};

export function refundState(refund: Pick<Stripe.Refund, 'status'>): Refund['status'] {
  return REFUND_STATUS[refund.status ?? ''] ?? 'pending';
}

/** Live refunds bind their part of the line. */
export const isLive = (refund: Pick<Refund, 'status'>) =>
  refund.status === 'pending' || refund.status === 'succeeded';

export const isAtProvider = (refund: Pick<Refund, 'status' | 'providerRefundId'>) =>
  isLive(refund) && refund.providerRefundId !== null;

export const sumOf = (rows: readonly { amountCents: number }[]) =>
  rows.reduce((total, row) => total + row.amountCents, 0);

export function leftOfLine(
  line: Pick<OrderItem, 'id' | 'priceCents'>,
  rows: readonly Pick<Refund, 'orderItemId' | 'amountCents' | 'status'>[],
): number {
  return line.priceCents - sumOf(rows.filter((row) => row.orderItemId === line.id && isLive(row)));
}

export function leftOfOrder(
  order: Pick<Order, 'totalCents'>,
  rows: readonly Pick<Refund, 'amountCents' | 'status'>[],
): number {
  return Math.max(0, order.totalCents - sumOf(rows.filter(isLive)));
}

export function refundsOf(tx: Tx, order: Order): Promise<Refund[]> {
  return tx.select().from(refunds).where(eq(refunds.orderId, order.id)).orderBy(asc(refunds.id));
}
