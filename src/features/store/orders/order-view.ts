import type { Billing, Seller } from '#src/features/store/invoices/billing.ts';
import type { Moment } from './order-story.ts';
import type { BankMoney } from '#src/features/store/bank/bank.ts';
import type { OrderStatus } from './orders.ts';

/** Amounts in cents. */
export type ViewedLine = {
  courseId: number;
  title: string;
  bundleTitle: string | null;
  thumbnail: string;
  /** Null for one person's line. */
  seats: number | null;
  listPriceCents: number;
  /** Without the quantity discount; null where there is none. */
  fullPriceCents: number | null;
  /** After the line's share of a coupon. */
  priceCents: number;
  /** To the card. */
  refundedCents: number;
  isRefunded: boolean;
};

type ViewedRefund = {
  /** Null before the money is back. */
  creditNoteNumber: string | null;
  amountCents: number;
  status: 'pending' | 'succeeded' | 'failed';
  /** Null where it is for no single line. */
  title: string | null;
  /** Null for money alone. */
  seats: number | null;
  at: string;
};

/** In cents, as ordered. */
type OrderTotals = {
  subtotalCents: number;
  coupon: { code: string; discountCents: number } | null;
  taxCents: number;
  totalCents: number;
  refundedCents: number;
};

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
  /** Lost disputes. */
  chargebacks: { creditNoteNumber: string | null; amountCents: number; at: string }[];
  payment: 'card' | 'bank';
  /** Null for a person. */
  billing: Billing | null;
  /** The invoice that replaces the first one, to name a company. */
  correction: { number: string; at: string; billing: Billing } | null;
  organisationId: number | null;
  /** As of the invoice's issue. */
  seller: Seller;
  /** Paid when the invoice was issued; before that, received so far. */
  prepaidCents: number;
  bank: BankMoney | null;
  paymentState: string;
  story: Moment[];
};
