import type { Billing, Seller } from '#src/features/store/invoices/billing.ts';
import type { Moment } from './order-story.ts';
import type { BankMoney } from '#src/features/store/bank/bank.ts';
import type { OrderStatus } from './orders.ts';

export type ViewedLine = {
  courseId: number;
  title: string;
  bundleTitle: string | null;
  thumbnail: string;
  seats: number | null;
  listPriceCents: number;
  /** Without the quantity discount; null where there is none. */
  fullPriceCents: number | null;
  /** After the line's share of a coupon. */
  priceCents: number;
  refundedCents: number;
  isRefunded: boolean;
};

type ViewedRefund = {
  creditNoteNumber: string | null;
  amountCents: number;
  status: 'pending' | 'succeeded' | 'failed';
  title: string | null;
  /** Null for money alone. */
  seats: number | null;
  at: string;
};

type OrderTotals = {
  subtotalCents: number;
  coupon: { code: string; discountCents: number } | null;
  taxCents: number;
  totalCents: number;
  refundedCents: number;
};

/** Mailed where it was declined: `declinedWith`. */
export type RefundRequest = { askedAt: string; reason: string; declinedWith: string; isOpen: boolean };

export type OrderView = {
  id: number;
  status: OrderStatus;
  isPaid: boolean;
  isUnclear: boolean;
  createdAt: string;
  completedAt: string | null;
  invoiceNumber: string | null;
  buyer: { name: string; email: string };
  lines: ViewedLine[];
  totals: OrderTotals;
  refunds: ViewedRefund[];
  chargebacks: { creditNoteNumber: string | null; amountCents: number; at: string }[];
  payment: 'card' | 'bank';
  billing: Billing | null;
  /** The invoice that replaces the first one, to name a company. */
  correction: { number: string; at: string; billing: Billing } | null;
  organisationId: number | null;
  seller: Seller;
  /** Paid when the invoice was issued; before that, received so far. */
  prepaidCents: number;
  bank: BankMoney | null;
  paymentState: string;
  refundRequest: RefundRequest | null;
  /** What may be asked back until when. */
  promise: { leftCents: number; until: string } | null;
  story: Moment[];
};
