import { describe, expect, it } from 'vitest';
import { ORDER_STATUSES } from '#src/features/store/orders/schema.ts';
import { fulfilledStatus, isFulfilled, lineOfRefund, linesEnded, mayMove } from './orders.ts';

describe('an order', () => {
  it('is completed by a late success, and never goes back to waiting for its payment', () => {
    expect(mayMove('failed', 'completed')).toBe(true);
    expect(mayMove('expired', 'completed')).toBe(true);
    expect(ORDER_STATUSES.filter((status) => mayMove(status, 'pending'))).toEqual([]);
  });

  it('was fulfilled whatever was paid back or is disputed, and not before it is completed', () => {
    expect(ORDER_STATUSES.filter(isFulfilled).toSorted()).toEqual([
      'completed',
      'disputed',
      'partially_refunded',
      'refunded',
    ]);
  });

  it.each([
    [0, [], 'completed'],
    [1, [], 'partially_refunded'],
    [4899, [], 'partially_refunded'],
    [4900, [], 'refunded'],
    [4901, [], 'refunded'],
    [0, ['won'], 'completed'],
    [0, ['lost'], 'refunded'],
    [1, ['won', 'lost'], 'refunded'],
    [4900, ['lost', 'open'], 'disputed'],
  ] as const)(
    'of 4900 cents with %i paid back and the disputes %j is %s',
    (refundedCents, disputes, status) => {
      expect(fulfilledStatus({ totalCents: 4900, refundedCents, disputes })).toBe(status);
    },
  );

  it('that cost nothing is completed', () => {
    expect(fulfilledStatus({ totalCents: 0, refundedCents: 0, disputes: [] })).toBe('completed');
  });
});

describe('lineOfRefund', () => {
  const open = [
    { id: 1, leftCents: 4900 },
    { id: 2, leftCents: 2000 },
    { id: 3, leftCents: 2000 },
  ];
  it('is the one line of which exactly so much is left', () => {
    expect(lineOfRefund(4900, open)).toBe(1);
    expect(lineOfRefund(2000, open)).toBe('several');
    expect(lineOfRefund(6900, open)).toBeNull();
    expect(lineOfRefund(1, [])).toBeNull();
  });
});

describe('linesEnded', () => {
  const lines = [
    { id: 1, priceCents: 4900 },
    { id: 2, priceCents: 2000 },
    { id: 3, priceCents: 0 },
  ];
  const back = (orderItemId: number | null, amountCents: number, endsAccess = true) => ({
    orderItemId,
    amountCents,
    endsAccess,
  });
  const ended = (...live: ReturnType<typeof back>[]) => [...linesEnded(6900, lines, live)];

  it('ends a line with a refund that is meant to, and keeps it with one that is not', () => {
    expect(ended()).toEqual([]);
    expect(ended(back(1, 1))).toEqual([1]);
    expect(ended(back(1, 1, false))).toEqual([]);
    expect(ended(back(1, 4900, false))).toEqual([]);
    expect(ended(back(1, 100, false), back(1, 4800))).toEqual([1]);
  });

  it('ends all with the whole order, what was free last', () => {
    expect(ended(back(null, 6900))).toEqual([1, 2, 3]);
    expect(ended(back(1, 4900), back(2, 2000))).toEqual([1, 2, 3]);
    expect(ended(back(null, 6899))).toEqual([]);
    expect(ended(back(1, 100, false), back(null, 6800))).toEqual([1, 2, 3]);
  });

  it('keeps what was left to its buyer on purpose, and with it what was free', () => {
    expect(ended(back(1, 4900, false), back(2, 2000))).toEqual([2]);
    expect(ended(back(1, 4900, false), back(null, 2000))).toEqual([2]);
    expect(ended(back(null, 3000), back(1, 3900, false))).toEqual([2]);
    expect(ended(back(null, 1000), back(null, 2000), back(1, 3900, false))).toEqual([2]);
  });

  it('ends nothing of an order that cost nothing', () => {
    expect([...linesEnded(0, [{ id: 3, priceCents: 0 }], [])]).toEqual([]);
  });
});
