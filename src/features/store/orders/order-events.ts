import type { OrderStatus } from './orders.ts';

export type Source = 'confirm' | 'webhook' | 'reconciler' | 'admin' | 'buyer' | 'system';

export type ExpiryCause =
  | 'replaced by another cart or price'
  | 'replaced while it was being prepared'
  | 'an earlier order with its coupon went through'
  | 'unpaid for long, and its coupon was asked for'
  | 'the payment was closed'
  | 'the buyer is deleted'
  | `not wanted any more: ${string}`
  | `unpaid for ${number} hours`;

export interface PaymentFailure {
  code: string | null;
  declineCode: string | null;
  message: string | null;
}

type Refunded = { refundedCents: number };

interface OrderEventDetails {
  created: { totalCents: number; courseIds: number[]; coupon?: string; discountCents?: number };
  intent_refused: object;
  processing: object;
  payment_declined: PaymentFailure;
  payment_failed: PaymentFailure;
  payment_canceled: { reason: string | null };
  payment_mismatch: { reason: string };
  payment_returned: Refunded;
  expired: { why: ExpiryCause };
  completed: {
    invoiceNumber: string;
    totalCents: number;
    /** Released against an invoice; the money may still be to come. */
    byInvoice?: boolean;
  };
  claimed: { how: string };
  invoice_corrected: { number: string; company: string };
  duplicate_lines: { itemIds: number[] };
  refund: {
    refundId?: string;
    refundRow?: number;
    amountCents: number;
    status: 'pending' | 'succeeded' | 'failed' | 'canceled';
    itemId: number | null;
    endsAccess?: boolean;
    offInvoice?: boolean;
    seats?: number;
    why?: string;
  };
  refund_unanswered: { refundRow: number };
  refund_reversed: Refunded & { refundedCentsBefore: number };
  partially_refunded: Refunded;
  refunded: Refunded;
  disputed: Refunded;
  dispute_ended: Refunded;
  dispute: { disputeId: string; status: 'open' | 'won' | 'lost'; reason: string; amountCents: number };
  flagged: { flag: string };
  flag_cleared: { flag: string; note: string };
  claim_link_sent: object;
  receipt_sent: object;
  access_restored: { itemIds: number[] };
  withdrawn: { itemIds: number[]; granted: boolean };
  withdrawal_accepted: { itemId: number };
  withdrawal_declined: { itemId: number; reason: string };
  transfer: { amountCents: number; bookedOn: string; reference: string };
  reminded: { number: number; outstandingCents: number };
  anonymised: object;
}

type OrderEventType = keyof OrderEventDetails;

export type NewOrderEvent = {
  [T in OrderEventType]: {
    type: T;
    source: Source;
    actorId?: number | null;
  } & (object extends OrderEventDetails[T] ? { details?: never } : { details: OrderEventDetails[T] });
}[OrderEventType];

export type OrderSentences<Said, More extends unknown[]> = {
  [T in OrderEventType]: (details: Partial<OrderEventDetails[T]>, ...more: More) => Said;
};

export function tellEvent<Said, More extends unknown[]>(
  sentences: OrderSentences<Said, More>,
  { type, details }: { type: string; details: Record<string, unknown> },
  ...more: More
): Said | null {
  if (!Object.hasOwn(sentences, type)) return null;
  const sentence = sentences[type as OrderEventType] as (details: object, ...more: More) => Said;
  return sentence(details, ...more);
}

export const SETTLED_EVENTS = {
  completed: 'dispute_ended',
  partially_refunded: 'partially_refunded',
  refunded: 'refunded',
  disputed: 'disputed',
} as const satisfies Partial<Record<OrderStatus, OrderEventType>>;
