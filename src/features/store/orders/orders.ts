import type { ORDER_STATUSES } from '#src/features/store/orders/schema.ts';

export type OrderStatus = (typeof ORDER_STATUSES)[number];

/**
 * Decision 19; a late success wins, and a failed refund reopens the order. The database checks the same table, and
 * leaving `refunded` needs a falling refund.
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

export function mayMove(from: OrderStatus, to: OrderStatus): boolean {
  return NEXT[from].includes(to);
}

export function isFulfilled(status: OrderStatus): boolean {
  return (
    status === 'completed' ||
    status === 'partially_refunded' ||
    status === 'refunded' ||
    status === 'disputed'
  );
}

type MoneyState = {
  totalCents: number;
  refundedCents: number;
  disputes: readonly ('open' | 'won' | 'lost')[];
};

/** An open dispute comes first, then refunds. */
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
 * A dashboard refund names no line: its amount decides (fault P34).
 * @returns `null` where no line has so much left, `'several'` where more than one has
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
 * A refund ends its line where it was meant to; once all is refunded every line ends, but for those the buyer was
 * meant to keep. Free lines end with the last paid one.
 * @param live refunds that count, oldest first
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
