import { formatCents } from '#src/shared/money.ts';
import type { OrderStatus } from './orders.ts';

export type OrderTone = 'neutral' | 'success' | 'warning' | 'danger' | 'info';

/** How a state is written and colored in the buyer's lists; 'completed' is green (spec 4). */
export const STATUS_TONES: Record<OrderStatus, OrderTone> = {
  pending: 'warning',
  processing: 'info',
  completed: 'success',
  failed: 'danger',
  expired: 'neutral',
  partially_refunded: 'info',
  refunded: 'neutral',
  disputed: 'warning',
};

/** 'partially_refunded' → 'partially refunded'. */
export function statusLabel(status: OrderStatus): string {
  return status.replaceAll('_', ' ');
}

/** An order as far as the sentence about its payment is concerned; amounts in cents. */
export type PaymentFacts = {
  status: OrderStatus;
  totalCents: number;
  refundedCents: number;
  /** Money came that does not fit the order, and somebody looks at it. */
  isUnclear: boolean;
};

/** What there is to know and to do about an order's payment, in two sentences or three. */
export function paymentState({ status, totalCents, refundedCents, isUnclear }: PaymentFacts): string {
  if (isUnclear) {
    return 'We are looking at a payment for this order. Please do not pay again: we write to you as soon as it is settled.';
  }
  const total = formatCents(totalCents);
  switch (status) {
    case 'pending':
      return 'Not paid yet. Nothing has been charged. An order that stays unpaid is closed after a day.';
    case 'processing':
      return 'Your bank is processing the payment. Please do not pay again: we send your receipt by email as soon as it has gone through.';
    case 'failed':
      return 'The payment did not go through, and nothing was charged. You can start again at any time.';
    case 'expired':
      return 'This order was closed without a payment, and nothing was charged.';
    case 'completed':
      return totalCents === 0 ? 'Nothing had to be paid.' : `${total} paid by card.`;
    case 'partially_refunded':
      return `${total} paid by card, of which ${formatCents(refundedCents)} went back to it.`;
    case 'refunded':
      return refundedCents > 0
        ? `${total} paid by card, and ${formatCents(refundedCents)} returned to it.`
        : `${total} paid by card. The payment was taken back by the bank.`;
    case 'disputed':
      return `${total} paid by card. The payment is disputed with the bank, and access to the courses rests until that is decided.`;
  }
}

/** An entry of the order's log as it is stored. */
export type StoryEvent = {
  type: string;
  at: Date;
  details: Record<string, unknown>;
};

/** A moment in the life of an order, for its buyer. */
export type Moment = { at: string; text: string; tone: OrderTone };

const cents = (value: unknown): string => formatCents(typeof value === 'number' ? value : 0);
const words = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * An order's log in plain words, oldest first. What only operators need (flags, tries at the provider) is left out, and
 * so is everything unknown.
 *
 * @param titles the lines' titles by their id
 */
export function storyOf(events: readonly StoryEvent[], titles: ReadonlyMap<number, string>): Moment[] {
  return events.flatMap((event) => {
    const told = tell(event, titles);
    return told ? { at: event.at.toISOString(), ...told } : [];
  });
}

function tell(
  { type, details }: StoryEvent,
  titles: ReadonlyMap<number, string>,
): { text: string; tone: OrderTone } | null {
  switch (type) {
    case 'created': {
      const coupon = words(details.coupon);
      const after = coupon ? ` with coupon ${coupon}` : '';
      return {
        text: `The order was started: ${cents(details.totalCents)} in total${after}.`,
        tone: 'neutral',
      };
    }
    case 'payment_declined':
      return {
        text: `A payment did not go through. ${words(details.message) || 'The card was declined.'}`,
        tone: 'warning',
      };
    case 'processing':
      return { text: 'The bank is processing the payment.', tone: 'info' };
    case 'completed': {
      const paid =
        details.totalCents === 0
          ? 'The order was completed. Nothing had to be paid.'
          : `The payment of ${cents(details.totalCents)} arrived, and the order was completed.`;
      return { text: `${paid} Invoice ${words(details.invoiceNumber)} was issued.`, tone: 'success' };
    }
    case 'expired':
      return {
        text: words(details.why).startsWith('replaced')
          ? 'A newer order took its place. Nothing was charged.'
          : 'The order was closed without a payment. Nothing was charged.',
        tone: 'neutral',
      };
    case 'payment_canceled':
      return { text: 'The payment was canceled. Nothing was charged.', tone: 'neutral' };
    case 'payment_failed':
      return {
        text: `The payment failed, and nothing was charged. ${words(details.message)}`.trim(),
        tone: 'danger',
      };
    case 'payment_returned':
      return { text: 'A payment that did not fit this order went back to the card.', tone: 'neutral' };
    case 'claimed':
      return { text: 'The order was put into an account.', tone: 'neutral' };
    case 'claim_link_sent':
      return { text: 'We mailed a new link to what was bought.', tone: 'neutral' };
    case 'receipt_sent':
      return { text: 'We mailed the receipt again.', tone: 'neutral' };
    case 'duplicate_lines': {
      const ids = Array.isArray(details.itemIds) ? details.itemIds : [];
      const twice = ids.flatMap((id) => titles.get(id) ?? []).map((title) => `“${title}”`);
      return {
        text: `You owned ${twice.join(', ') || 'a course of it'} already, so we pay that back.`,
        tone: 'info',
      };
    }
    case 'refund':
      return tellRefund(details, titles);
    case 'refund_reversed':
      return {
        text: 'A refund came back from the bank, so the order counts as paid again.',
        tone: 'warning',
      };
    case 'dispute':
      return tellDispute(details);
    case 'access_restored':
      return { text: 'Access to the courses was restored.', tone: 'success' };
    default:
      return null;
  }
}

function tellRefund(details: Record<string, unknown>, titles: ReadonlyMap<number, string>) {
  const title = titles.get(Number(details.itemId));
  const what = `${cents(details.amountCents)}${title ? ` for “${title}”` : ''}`;
  switch (details.status) {
    case 'succeeded':
      return { text: `${what} went back to the card.`, tone: 'info' as const };
    case 'pending':
      return { text: `A refund of ${what} is on its way to the card.`, tone: 'info' as const };
    default:
      return {
        text: `A refund of ${what} did not go through. We are looking into it.`,
        tone: 'warning' as const,
      };
  }
}

function tellDispute(details: Record<string, unknown>) {
  switch (details.status) {
    case 'won':
      return { text: 'The dispute ended, the payment stands, and access is back.', tone: 'success' as const };
    case 'lost':
      return { text: 'The bank returned the payment to the card holder.', tone: 'danger' as const };
    default:
      return {
        text: 'The payment was disputed with the bank. Access to the courses rests until that is decided.',
        tone: 'warning' as const,
      };
  }
}
