import type { Moment } from './order-story.ts';
import type { OrderStatus } from './orders.ts';

/** A line as its buyer sees it; amounts in cents. */
export type ViewedLine = {
  courseId: number;
  title: string;
  /** Of the bundle that it was bought with; null where it was bought singly. */
  bundleTitle: string | null;
  thumbnail: string;
  listPriceCents: number;
  /** After the line's share of a coupon. */
  priceCents: number;
  /** What went back of it to the card. */
  refundedCents: number;
  /** Its access ended with that. */
  isRefunded: boolean;
};

/** Money on its way back, or back; amounts in cents. */
export type ViewedRefund = {
  /** Counts the order's refunds from 1. */
  number: number;
  amountCents: number;
  status: 'pending' | 'succeeded' | 'failed';
  /** What it was for; null where it is for no single line. */
  title: string | null;
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
  /** A payment that the bank took back in the end, in cents; 0 otherwise. */
  chargedBackCents: number;
  paymentState: string;
  story: Moment[];
};
