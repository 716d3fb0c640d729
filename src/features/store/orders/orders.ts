import type { ORDER_STATUSES } from '#src/features/store/schema.ts';

export type OrderStatus = (typeof ORDER_STATUSES)[number];

/**
 * The moves of decision 19. A late success wins over `failed` and `expired`, and a refund that did not reach the buyer
 * gives its order back. The database guards the same table, and lets an order leave `refunded` only while the refunded
 * amount falls.
 */
const NEXT: Record<OrderStatus, readonly OrderStatus[]> = {
  pending: ['processing', 'completed', 'failed', 'expired'],
  processing: ['completed', 'failed', 'expired'],
  failed: ['completed'],
  expired: ['completed'],
  completed: ['partially_refunded', 'refunded', 'disputed'],
  partially_refunded: ['completed', 'refunded', 'disputed'],
  disputed: ['completed', 'partially_refunded', 'refunded'],
  refunded: ['completed', 'partially_refunded'],
};

/** Whether an order may go from one state to another. */
export function mayMove(from: OrderStatus, to: OrderStatus): boolean {
  return NEXT[from].includes(to);
}

/** Whether the order was fulfilled at some time, whatever came after. */
export function isFulfilled(status: OrderStatus): boolean {
  return (
    status === 'completed' ||
    status === 'partially_refunded' ||
    status === 'refunded' ||
    status === 'disputed'
  );
}

/** What the money says about a fulfilled order. */
export type MoneyState = {
  totalCents: number;
  refundedCents: number;
  disputes: readonly ('open' | 'won' | 'lost')[];
};

/** The state that a fulfilled order should be in: an open dispute first, then what has been paid back. */
export function fulfilledStatus({
  totalCents,
  refundedCents,
  disputes,
}: MoneyState): 'completed' | 'partially_refunded' | 'refunded' | 'disputed' {
  if (disputes.includes('open')) return 'disputed';
  if (disputes.includes('lost')) return 'refunded';
  if (refundedCents > 0) return refundedCents >= totalCents ? 'refunded' : 'partially_refunded';
  return 'completed';
}

/**
 * The line that a refund made in the provider's dashboard pays back, told by its amount alone (fault P34).
 *
 * @returns the line's id; `null` where no line costs that much, `'several'` where more than one does
 */
export function lineOfRefund(
  amountCents: number,
  openLines: readonly { id: number; priceCents: number }[],
): number | null | 'several' {
  const fitting = openLines.filter((line) => line.priceCents === amountCents);
  if (fitting.length > 1) return 'several';
  return fitting[0]?.id ?? null;
}
