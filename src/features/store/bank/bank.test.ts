import { describe, expect, it } from 'vitest';
import { bankState, outstandingCents } from './bank.ts';

const NOW = new Date('2026-11-24T00:00:00Z');
const facts = (change: Partial<Parameters<typeof bankState>[0]> = {}) => ({
  status: 'completed',
  totalCents: 10_000,
  refundedCents: 0,
  receivedCents: 0,
  dueAt: '2026-12-01T00:00:00.000Z',
  ...change,
});

describe('the money of an order by invoice', () => {
  it.each([
    [facts({ status: 'pending' }), 'waiting'],
    [facts({ status: 'pending', receivedCents: 4000 }), 'waiting'],
    [facts({ status: 'expired' }), 'closed'],
    [facts({ status: 'failed' }), 'closed'],
    [facts(), 'open'],
    [facts({ receivedCents: 9999 }), 'open'],
    [facts({ dueAt: null }), 'open'],
    [facts({ dueAt: NOW.toISOString() }), 'open'],
    [facts({ dueAt: '2026-11-23T23:59:59.999Z' }), 'overdue'],
    [facts({ dueAt: '2026-11-01T00:00:00.000Z', receivedCents: 10_000 }), 'paid'],
    [facts({ status: 'partially_refunded', refundedCents: 4000, receivedCents: 6000 }), 'paid'],
    [facts({ status: 'refunded', refundedCents: 10_000 }), 'paid'],
    [facts({ status: 'refunded', refundedCents: 10_000, receivedCents: 1 }), 'overpaid'],
    [facts({ receivedCents: 10_001 }), 'overpaid'],
  ])('%j is %s', (one, state) => {
    expect(bankState(one, NOW)).toBe(state);
  });

  it('is still owed as far as neither transfers nor credit notes cover it', () => {
    expect(outstandingCents(facts({ refundedCents: 1000, receivedCents: 2500 }))).toBe(6500);
  });
});
