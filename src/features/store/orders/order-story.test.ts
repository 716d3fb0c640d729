import { describe, expect, it } from 'vitest';
import { ORDER_STATUSES } from '#src/features/store/orders/schema.ts';
import { paymentState, STATUS_TONES, storyOf, statusLabel } from './order-story.ts';

const at = new Date('2026-11-20T16:05:00Z');
const tell = (type: string, details: Record<string, unknown> = {}) =>
  storyOf([{ type, at, details }], new Map([[7, 'SQL']]))[0]?.text ?? null;

describe('the story of an order', () => {
  it.each([
    ['created', { totalCents: 4900 }, 'The order was started: $49.00 in total.'],
    [
      'created',
      { totalCents: 4410, coupon: 'TEN' },
      'The order was started: $44.10 in total with coupon TEN.',
    ],
    ['payment_declined', { message: null }, 'A payment did not go through. The card was declined.'],
    ['processing', {}, 'The bank is processing the payment.'],
    [
      'completed',
      { totalCents: 0, invoiceNumber: 'INV-2026-000001' },
      'The order was completed. Nothing had to be paid. Invoice INV-2026-000001 was issued.',
    ],
    [
      'expired',
      { why: 'replaced by another cart or price' },
      'A newer order took its place. Nothing was charged.',
    ],
    [
      'expired',
      { why: 'unpaid for 24 hours' },
      'The order was closed without a payment. Nothing was charged.',
    ],
    ['payment_canceled', {}, 'The payment was canceled. Nothing was charged.'],
    ['payment_failed', { message: 'No.' }, 'The payment failed, and nothing was charged. No.'],
    ['claimed', {}, 'The order was put into an account.'],
    ['duplicate_lines', { itemIds: [7] }, 'You owned “SQL” already, so we pay that back.'],
    [
      'refund',
      { status: 'pending', amountCents: 500, itemId: 7 },
      'A refund of $5.00 for “SQL” is on its way to the card.',
    ],
    ['refund', { status: 'succeeded', amountCents: 500, itemId: null }, '$5.00 went back to the card.'],
    [
      'refund',
      { status: 'failed', amountCents: 500 },
      'A refund of $5.00 did not go through. We are looking into it.',
    ],
    ['dispute', { status: 'won' }, 'The dispute ended, the payment stands, and access is back.'],
  ] as const)('%s reads in plain words', (type, details, text) => {
    expect(tell(type, details)).toBe(text);
  });

  it('tells the end of a dispute once, whatever the log called it', () => {
    expect(tell('completed', { refundedCents: 0 })).toBeNull();
    expect(tell('dispute_ended', { refundedCents: 0 })).toBeNull();
  });

  it.each(['flagged', 'intent_refused', 'refund_unanswered', 'partially_refunded', 'no_such_event'])(
    'leaves out %s, which is for operators',
    (type) => {
      expect(tell(type, { flag: 'secret' })).toBeNull();
    },
  );
});

describe('the state of a payment', () => {
  it('has a sentence, a label and a color for every state; completed is green', () => {
    for (const status of ORDER_STATUSES) {
      const facts = { status, totalCents: 4900, refundedCents: 0, isUnclear: false };
      expect(paymentState(facts)).toMatch(/\.$/);
      expect(statusLabel(status)).not.toContain('_');
    }
    expect(STATUS_TONES.completed).toBe('success');
  });
});
