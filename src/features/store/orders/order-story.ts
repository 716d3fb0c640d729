import type { BankMoney } from '#src/features/store/bank/bank.ts';
import { counted } from '#src/shared/counted.ts';
import { shownDate } from '#src/shared/dates.ts';
import { formatCents } from '#src/shared/money.ts';
import { type OrderSentences, tellEvent } from './order-events.ts';
import type { OrderStatus } from './orders.ts';

type OrderTone = 'neutral' | 'success' | 'warning' | 'danger' | 'info';

/** 'completed' is green (spec 4). */
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

type PaymentFacts = {
  status: OrderStatus;
  totalCents: number;
  refundedCents: number;
  isUnclear: boolean;
};

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

export function bankPaymentState(
  { state, outstandingCents, receivedCents, dueAt, transfers }: BankMoney,
  totalCents: number,
): string {
  const left = formatCents(outstandingCents);
  const some = receivedCents > 0 ? ` ${formatCents(receivedCents)} has arrived.` : '';
  const due = dueAt ? shownDate(dueAt) : '';
  switch (state) {
    case 'waiting':
      return `We look at the order and open the seats then, at the latest when ${formatCents(totalCents)} has arrived by bank transfer.${some}`;
    case 'closed':
      return 'This order was closed. Nothing has to be paid.';
    case 'open':
      return `The seats are open. Please transfer ${left} by ${due}.${some}`;
    case 'overdue':
      return `${left} was due on ${due}.${some} If you have just paid it, there is nothing to do.`;
    case 'paid':
      return `${receivedCents > 0 ? `${formatCents(receivedCents)} paid by bank transfer.` : 'Nothing has to be paid any more.'}${sentBack(transfers)}`;
    case 'overpaid':
      return `${formatCents(receivedCents)} paid by bank transfer. ${formatCents(-outstandingCents)} of it goes back to you by bank transfer and has not been sent yet.`;
  }
}

function sentBack(transfers: BankMoney['transfers']): string {
  const last = transfers.findLast(({ amountCents }) => amountCents < 0);
  if (!last) return '';
  return ` ${formatCents(-last.amountCents)} was sent back by bank transfer on ${shownDate(last.bookedOn)} (${last.reference}).`;
}

type StoryEvent = {
  type: string;
  at: Date;
  details: Record<string, unknown>;
};

export type Moment = { at: string; text: string; tone: OrderTone };

type Told = { text: string; tone: OrderTone };
type Titles = ReadonlyMap<number, string>;

const cents = (value = 0): string => formatCents(value);

/** Oldest first, without operators' events and unknown ones. @param titles by line id */
export function storyOf(events: readonly StoryEvent[], titles: Titles): Moment[] {
  return events.flatMap((event) => {
    const told = tellEvent(SENTENCES, event, titles);
    return told ? { at: event.at.toISOString(), ...told } : [];
  });
}

const forOperators = () => null;

const SENTENCES: OrderSentences<Told | null, [Titles]> = {
  created: ({ totalCents, coupon }) => ({
    text: `The order was started: ${cents(totalCents)} in total${coupon ? ` with coupon ${coupon}` : ''}.`,
    tone: 'neutral',
  }),
  payment_declined: ({ message }) => ({
    text: `A payment did not go through. ${message || 'The card was declined.'}`,
    tone: 'warning',
  }),
  processing: () => ({ text: 'The bank is processing the payment.', tone: 'info' }),
  completed: ({ totalCents, invoiceNumber, byInvoice }) => {
    // Older logs use this name for the end of a dispute, which has its own sentence.
    if (totalCents === undefined) return null;
    if (byInvoice)
      return { text: `The seats opened, and invoice ${invoiceNumber} was issued.`, tone: 'success' };
    const paid =
      totalCents === 0
        ? 'The order was completed. Nothing had to be paid.'
        : `The payment of ${cents(totalCents)} arrived, and the order was completed.`;
    return { text: `${paid} Invoice ${invoiceNumber} was issued.`, tone: 'success' };
  },
  expired: ({ why }) => ({
    text: why?.startsWith('replaced')
      ? 'A newer order took its place. Nothing was charged.'
      : 'The order was closed without a payment. Nothing was charged.',
    tone: 'neutral',
  }),
  payment_canceled: () => ({ text: 'The payment was canceled. Nothing was charged.', tone: 'neutral' }),
  payment_failed: ({ message }) => ({
    text: `The payment failed, and nothing was charged. ${message ?? ''}`.trim(),
    tone: 'danger',
  }),
  payment_returned: () => ({
    text: 'A payment that did not fit this order went back to the card.',
    tone: 'neutral',
  }),
  claimed: () => ({ text: 'The order was put into an account.', tone: 'neutral' }),
  invoice_corrected: ({ number, company }) => ({
    text: `Invoice ${number}, which names ${company}, took the place of the first one.`,
    tone: 'info',
  }),
  claim_link_sent: () => ({ text: 'We mailed a new link to what was bought.', tone: 'neutral' }),
  receipt_sent: () => ({ text: 'We mailed the receipt again.', tone: 'neutral' }),
  duplicate_lines: ({ itemIds = [] }, titles) => {
    const twice = itemIds.flatMap((id) => titles.get(id) ?? []).map((title) => `“${title}”`);
    return {
      text: `You owned ${twice.join(', ') || 'a course of it'} already, so we pay that back.`,
      tone: 'info',
    };
  },
  refund: ({ amountCents, itemId, status, endsAccess, seats, offInvoice }, titles) => {
    const title = titles.get(itemId ?? 0);
    const what = `${cents(amountCents)}${title ? ` for “${title}”` : ''}`;
    const keeps = seats
      ? ` ${counted(seats, 'seat')} ended.`
      : endsAccess === false
        ? ' You keep the course.'
        : '';
    if (status === 'succeeded') {
      const where = offInvoice ? 'was taken off the invoice' : 'went back to the card';
      return { text: `${what} ${where}.${keeps}`, tone: 'info' };
    }
    if (status === 'pending') return { text: `A refund of ${what} is on its way to the card.`, tone: 'info' };
    return { text: `A refund of ${what} did not go through. We are looking into it.`, tone: 'warning' };
  },
  refund_reversed: () => ({
    text: 'A refund came back from the bank, so the order counts as paid again.',
    tone: 'warning',
  }),
  dispute: ({ status }) => {
    if (status === 'won') {
      return { text: 'The dispute ended, the payment stands, and access is back.', tone: 'success' };
    }
    if (status === 'lost')
      return { text: 'The bank returned the payment to the card holder.', tone: 'danger' };
    return {
      text: 'The payment was disputed with the bank. Access to the courses rests until that is decided.',
      tone: 'warning',
    };
  },
  access_restored: () => ({ text: 'Access to the courses was restored.', tone: 'success' }),
  withdrawn: ({ itemIds = [], granted }, titles) => {
    const what = itemIds.flatMap((id) => titles.get(id) ?? []).map((title) => `“${title}”`);
    const next = granted ? 'The price goes back the way it was paid.' : 'We are looking at it.';
    return { text: `You withdrew from ${what.join(', ') || 'the contract'}. ${next}`, tone: 'info' };
  },
  withdrawal_accepted: ({ itemId }, titles) => ({
    text: `We accepted the withdrawal from “${titles.get(itemId ?? 0) ?? 'a course'}”. The price goes back the way it was paid.`,
    tone: 'info',
  }),
  withdrawal_declined: ({ itemId, reason }, titles) => ({
    text: `We declined the withdrawal from “${titles.get(itemId ?? 0) ?? 'a course'}”. ${reason ?? ''}`.trim(),
    tone: 'warning',
  }),
  transfer: ({ amountCents = 0, reference }) => ({
    text:
      amountCents > 0
        ? `${cents(amountCents)} arrived by bank transfer (${reference ?? ''}).`
        : `${cents(-amountCents)} was sent back by bank transfer (${reference ?? ''}).`,
    tone: 'info',
  }),
  reminded: () => ({ text: 'We mailed a reminder of the invoice.', tone: 'warning' }),
  intent_refused: forOperators,
  payment_mismatch: forOperators,
  refund_unanswered: forOperators,
  partially_refunded: forOperators,
  refunded: forOperators,
  disputed: forOperators,
  dispute_ended: forOperators,
  flagged: forOperators,
  flag_cleared: forOperators,
  anonymised: forOperators,
};
