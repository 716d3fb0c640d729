import type { ORDER_STATUSES } from '#src/features/store/orders/schema.ts';

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
 * @param openLines with what is left of each
 * @returns the line's id; `null` where of no line so much is left, `'several'` where of more than one
 */
export function lineOfRefund(
  amountCents: number,
  openLines: readonly { id: number; leftCents: number }[],
): number | null | 'several' {
  const fitting = openLines.filter((line) => line.leftCents === amountCents);
  if (fitting.length > 1) return 'several';
  return fitting[0]?.id ?? null;
}

/**
 * The lines that give no access any more, by what is paid back. A refund ends its own line where it was meant to. Once
 * the whole order is paid back every line ends, but for those whose buyer was meant to keep them although they were paid
 * back whole, or last; what was free goes with the last paid line.
 *
 * @param live refunds that are paid or will be, oldest first
 */
export function linesEnded(
  totalCents: number,
  lines: readonly { id: number; priceCents: number }[],
  live: readonly { orderItemId: number | null; amountCents: number; endsAccess: boolean }[],
): Set<number> {
  const sum = (of: typeof live) => of.reduce((total, { amountCents }) => total + amountCents, 0);
  const allBack = totalCents > 0 && sum(live) >= totalCents;
  const isEnded = (line: (typeof lines)[number]) => {
    const own = live.filter(({ orderItemId }) => orderItemId === line.id);
    if (own.some(({ endsAccess }) => endsAccess)) return true;
    return allBack && sum(own) < line.priceCents && live.at(-1)?.orderItemId !== line.id;
  };
  const paid = lines.filter(({ priceCents }) => priceCents > 0);
  const ended = paid.filter(isEnded);
  return new Set((allBack && ended.length === paid.length ? lines : ended).map(({ id }) => id));
}
