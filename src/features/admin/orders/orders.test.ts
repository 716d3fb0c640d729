import { describe, expect, it } from 'vitest';
import {
  eventBy,
  eventText,
  movementLabel,
  orderLabel,
  parseOrderFilter,
  readOrderSearch,
} from './orders.ts';

describe('a search for orders', () => {
  it.each([
    ['', { kind: 'all' }],
    ['12', { kind: 'id', id: 12 }],
    ['#12', { kind: 'id', id: 12 }],
    ['9999999999', { kind: 'buyer', text: '9999999999' }],
    ['inv-2026-000001', { kind: 'invoice', number: 'INV-2026-000001' }],
    ['INV-', { kind: 'invoice', number: 'INV-' }],
    ['pi_3Abc', { kind: 'payment', intentId: 'pi_3Abc' }],
    ['pi_a b', { kind: 'buyer', text: 'pi_a b' }],
    ['Ada@Example.com', { kind: 'buyer', text: 'ada@example.com' }],
  ])('reads "%s"', (search, asked) => {
    expect(readOrderSearch(search)).toEqual(asked);
  });

  it('knows its filters and nothing else', () => {
    expect(['look', 'paid', 'back', 'refunded', '', 'constructor', null].map(parseOrderFilter)).toEqual([
      'look',
      'paid',
      'back',
      null,
      null,
      null,
      null,
    ]);
  });
});

describe('what happened to an order', () => {
  const event = (type: string, details: Record<string, unknown> = {}) =>
    eventText({ type, details, source: 'webhook', toStatus: null, actorName: null });

  it('is told in plain words', () => {
    expect(event('completed', { totalCents: 4900, invoiceNumber: 'INV-2026-000001' })).toBe(
      '$49.00 arrived, and the order was completed with invoice INV-2026-000001',
    );
    expect(event('completed', { totalCents: 0 })).toBe('The order was completed');
    expect(event('refund', { amountCents: 4900, status: 'failed', why: 'charge disputed' })).toBe(
      'The refund of $49.00 failed: the buyer was not paid: charge disputed',
    );
    expect(event('dispute', { status: 'open', reason: 'fraudulent' })).toContain('disputed the payment');
    expect(event('something_new')).toBe('Something new');
  });

  it('names the administrator who did it', () => {
    expect(eventBy({ source: 'admin', actorName: 'Grace Hopper' })).toBe('Grace Hopper');
    expect(eventBy({ source: 'admin', actorName: null })).toBe('An administrator');
    expect(eventBy({ source: 'webhook', actorName: 'Grace Hopper' })).toBe(
      'A notice of the payment provider',
    );
  });

  it('names movements and states', () => {
    const labels = [
      ['payment', 'payment:1'],
      ['invoice', 'invoice:1'],
      ['transfer', 'transfer:1'],
      ['refund', 'refund:re_1'],
      ['refund', 'refund:re_1:returned'],
      ['dispute', 'dispute:dp_1:1:open:disputes_held'],
      ['dispute', 'dispute:dp_1:2:won:disputes_held'],
      ['dispute', 'dispute:dp_1:3:lost:refunds_paid'],
    ] as const;
    expect(labels.map(([kind, movement]) => movementLabel({ kind, movement }))).toEqual([
      'Payment',
      'Invoice',
      'Bank transfer',
      'Refund',
      'Refund came back',
      'Dispute opened',
      'Dispute won',
      'Dispute lost',
    ]);
    expect(orderLabel('partially_refunded')).toBe('Partially refunded');
  });
});
