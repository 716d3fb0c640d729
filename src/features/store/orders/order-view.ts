import type { Billing, Seller } from '#src/features/store/invoices/billing.ts';
import type { Moment } from './order-story.ts';
import type { BankMoney } from '#src/features/store/bank/bank.ts';
import type { OrderStatus } from './orders.ts';

/** A line as its buyer sees it; amounts in cents. */
export type ViewedLine = {
  courseId: number;
  title: string;
  /** Of the bundle that it was bought with; null where it was bought singly. */
  bundleTitle: string | null;
  thumbnail: string;
  /** How many an organisation bought; null for one person's. */
  seats: number | null;
  listPriceCents: number;
  /** What the seats would have cost without their discount; null where they have none. */
  fullPriceCents: number | null;
  /** After the line's share of a coupon. */
  priceCents: number;
  /** What went back of it to the card. */
  refundedCents: number;
  /** Its access ended with that. */
  isRefunded: boolean;
};

/** Money on its way back, or back; amounts in cents. */
export type ViewedRefund = {
  /** Its credit note's; null before the money is back. */
  creditNoteNumber: string | null;
  amountCents: number;
  status: 'pending' | 'succeeded' | 'failed';
  /** What it was for; null where it is for no single line. */
  title: string | null;
  /** How many seats of the line it is for; null where it is for none, or for a part of their price. */
  seats: number | null;
  at: string;
};

/** Amounts of an order in cents, as they stood when it was made. */
export type OrderTotals = {
  subtotalCents: number;
  coupon: { code: string; discountCents: number } | null;
  taxCents: number;
  totalCents: number;
  refundedCents: number;
};

/** Everything about an order that its buyer may know. */
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
  /** Payments that the bank took back in the end. */
  chargebacks: { creditNoteNumber: string | null; amountCents: number; at: string }[];
  payment: 'card' | 'bank';
  /** Whom the invoice names beside the buyer; null for a person. */
  billing: Billing | null;
  /** The invoice that took the place of this order's first one, to name a company; null where there is none. */
  correction: { number: string; at: string; billing: Billing } | null;
  /** The organisation that bought; null for a person. */
  organisationId: number | null;
  /** Who sells, as it was when the invoice was issued. */
  seller: Seller;
  /** What of it was paid when its invoice was issued, and until then what has come in. */
  prepaidCents: number;
  /** Of an order by invoice: what came in, what is still to be paid, and until when. */
  bank: BankMoney | null;
  paymentState: string;
  story: Moment[];
};
