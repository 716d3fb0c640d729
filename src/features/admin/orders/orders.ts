import type { OrderStatus } from '#src/features/store/orders/orders.ts';
import { type OrderSentences, type Source, tellEvent } from '#src/features/store/orders/order-events.ts';
import { statusLabel } from '#src/features/store/orders/order-story.ts';
import type { OrderView } from '#src/features/store/orders/order-view.ts';
import { MAX_ID } from '#src/shared/fields.ts';
import { formatCents } from '#src/shared/money.ts';

/** "Partially refunded". */
export function orderLabel(status: OrderStatus): string {
  const label = statusLabel(status);
  return label.charAt(0).toUpperCase() + label.slice(1);
}

export const ORDER_FILTERS = [
  { value: '', label: 'All orders' },
  { value: 'paid', label: 'Paid' },
  { value: 'waiting', label: 'Pending' },
  { value: 'back', label: 'Money back' },
  { value: 'look', label: 'Look at it' },
] as const;

export type OrderFilter = Exclude<(typeof ORDER_FILTERS)[number]['value'], ''> | null;

/** Unknown values count as none. */
export function parseOrderFilter(value: string | null): OrderFilter {
  return ORDER_FILTERS.find((filter) => filter.value === value)?.value || null;
}

export type OrderSearch =
  | { kind: 'all' }
  | { kind: 'id'; id: number }
  /** Upper case; complete numbers are looked up, parts searched. */
  | { kind: 'invoice'; number: string }
  | { kind: 'payment'; intentId: string }
  /** Part of the buyer's email or name, in lower case. */
  | { kind: 'buyer'; text: string };

/** "#12" and "12" are orders, "INV-…" invoices, "pi_…" payments, all else buyers. */
export function readOrderSearch(search: string): OrderSearch {
  if (!search) return { kind: 'all' };
  const digits = /^#?\s?(\d{1,10})$/.exec(search)?.[1];
  if (digits && Number(digits) <= MAX_ID) return { kind: 'id', id: Number(digits) };
  if (/^inv-/i.test(search)) return { kind: 'invoice', number: search.toUpperCase() };
  if (/^pi_\w+$/.test(search)) return { kind: 'payment', intentId: search };
  return { kind: 'buyer', text: search.toLowerCase() };
}

export interface ListedOrder {
  id: number;
  createdAt: string;
  buyerName: string;
  buyerEmail: string;
  /** Unclaimed. */
  isGuest: boolean;
  isAnonymised: boolean;
  /** As of the order. */
  titles: string[];
  totalCents: number;
  refundedCents: number;
  /** By bank transfer, not recorded as sent. */
  toSendCents: number;
  status: OrderStatus;
  invoiceNumber: string | null;
  flag: string | null;
}

/** None where the order gave no access or is unclaimed. */
export type LineAccess = 'active' | 'suspended' | 'revoked' | 'none';

export interface RefundRow {
  id: number;
  itemId: number | null;
  amountCents: number;
  endsAccess: boolean;
  status: 'pending' | 'succeeded' | 'failed' | 'canceled';
  /** Unknown to the provider: can be sent again. */
  isUnsent: boolean;
  reason: string;
  requestedBy: string | null;
  at: string;
}

export interface OrderLine {
  id: number;
  courseId: number;
  title: string;
  /** Null for a single course. */
  bundleTitle: string | null;
  priceCents: number;
  listPriceCents: number;
  refundedAt: string | null;
  access: LineAccess;
  /** Or on its way. */
  refundedCents: number;
  /** Now; 0 for none. */
  refundableCents: number;
  /** Unknown to the provider. */
  unsentRefund: RefundRow | null;
  /** Of an organization: price of a seat, and seats not refunded. */
  seats: { unitCents: number; left: number } | null;
}

/** From one account to another, in cents. */
export interface LedgerMovement {
  movement: string;
  from: string;
  to: string;
  amountCents: number;
  at: string;
}

export interface TimelineEntry {
  id: number;
  at: string;
  text: string;
  by: string;
}

export interface OrderDetail extends ListedOrder {
  userId: number | null;
  username: string | null;
  completedAt: string | null;
  discountCents: number;
  taxCents: number;
  couponCode: string | null;
  paymentIntentId: string | null;
  lines: OrderLine[];
  refunds: RefundRow[];
  disputes: { id: string; amountCents: number; status: string; reason: string; at: string }[];
  ledger: LedgerMovement[];
  timeline: TimelineEntry[];
  payment: 'card' | 'bank';
  bank: OrderView['bank'];
  billing: OrderView['billing'];
  refundRequest: OrderView['refundRequest'];
  can: {
    reconcile: boolean;
    resendReceipt: boolean;
    resendClaimLink: boolean;
  };
}

const ACCOUNTS: Record<string, string> = {
  provider_clearing: 'Payment provider',
  course_revenue: 'Course revenue',
  refunds_paid: 'Refunds paid',
  disputes_held: 'Held for disputes',
  tax_payable: 'Tax payable',
  receivables: 'Owed by the buyer',
  bank: 'Bank account',
};
/** In the books a payment goes from revenue to the provider; the money comes from the buyer. */
const PAYERS: Record<string, string> = {
  course_revenue: 'Buyer, for courses',
  tax_payable: 'Buyer, for tax',
};

export function accountLabel(account: string): string {
  return ACCOUNTS[account] ?? account;
}

/** The source of money that an account lost. */
export function sourceLabel(account: string): string {
  return PAYERS[account] ?? accountLabel(account);
}

const MOVEMENTS = {
  payment: 'Payment',
  invoice: 'Invoice',
  transfer: 'Bank transfer',
  refund: 'Refund',
  dispute: 'Dispute opened',
};
/** By the step in the movement's name. */
const LATER_MOVEMENTS: Record<string, string> = {
  returned: 'Refund came back',
  won: 'Dispute won',
  lost: 'Dispute lost',
};

/** "payment:12" → "Payment", "refund:re_1:returned" → "Refund came back", "dispute:dp_1:2:won:disputes_held" → "Dispute won". */
export function movementLabel({
  kind,
  movement,
}: {
  kind: keyof typeof MOVEMENTS;
  movement: string;
}): string {
  const steps = movement.split(':').slice(2);
  const later = steps.find((step) => step in LATER_MOVEMENTS);
  return later ? LATER_MOVEMENTS[later]! : MOVEMENTS[kind];
}

const SOURCES: Record<Source, string> = {
  confirm: 'The buyer’s page',
  webhook: 'A notice of the payment provider',
  reconciler: 'The regular check of payments',
  admin: 'An administrator',
  buyer: 'The buyer',
  system: 'The site',
};

export interface OrderEvent {
  type: string;
  source: string;
  toStatus: OrderStatus | null;
  actorName: string | null;
  details: Record<string, unknown>;
}

export function eventBy({ source, actorName }: Pick<OrderEvent, 'source' | 'actorName'>): string {
  return source === 'admin' && actorName ? actorName : (SOURCES[source as Source] ?? source);
}

const REFUND_WORDS: Record<string, string> = {
  pending: 'is on its way to the buyer',
  succeeded: 'was sent to the buyer’s card, where it shows within 5 to 10 days',
  failed: 'failed: the buyer was not paid',
  canceled: 'was canceled: the buyer was not paid',
};

const DISPUTE_WORDS: Record<string, string> = {
  open: 'The card holder disputed the payment. Access is suspended while the dispute is open',
  won: 'The dispute was won, and the money is back',
  lost: 'The dispute was lost, and the money is gone',
};

const amount = (value: unknown) => (typeof value === 'number' ? ` of ${formatCents(value)}` : '');
const because = (value: unknown) => (typeof value === 'string' && value ? `: ${value}` : '');

const SENTENCES: OrderSentences<string, [toStatus: OrderStatus | null]> = {
  created: (details) => `The buyer came to checkout with an order${amount(details.totalCents)}`,
  intent_refused: () => 'The payment provider refused to open a payment; another try was made',
  processing: () => 'The payment is being processed',
  payment_declined: (details) => `The card was declined${because(details.message)}`,
  payment_failed: (details) => `The payment failed${because(details.message)}`,
  payment_canceled: (_, toStatus) =>
    toStatus ? `The payment was canceled, and the order ${toStatus}` : 'The payment is canceled for good',
  payment_mismatch: (details) => `A payment does not fit the order${because(details.reason)}`,
  payment_returned: (details) => `The payment went back to the card${amount(details.refundedCents)}`,
  expired: (details) => `The order ended without a payment${because(details.why)}`,
  completed: (details) => {
    const arrived =
      !details.byInvoice && typeof details.totalCents === 'number' && details.totalCents > 0
        ? `${formatCents(details.totalCents)} arrived, and the`
        : 'The';
    return `${arrived} order was ${details.byInvoice ? 'opened' : 'completed'}${details.invoiceNumber ? ` with invoice ${details.invoiceNumber}` : ''}`;
  },
  invoice_corrected: ({ number, company }) =>
    `Invoice ${number} was issued in place of the first one, for ${company}`,
  claimed: (details) => `The purchase went into an account${because(details.how)}`,
  duplicate_lines: () => 'The buyer owned a course of this order already; that line is paid back',
  refund: (details) =>
    `The refund${amount(details.amountCents)} ${details.offInvoice ? 'was taken off the invoice' : (REFUND_WORDS[String(details.status)] ?? String(details.status))}${details.endsAccess === false ? '; access to the course stays' : ''}${because(details.why)}`,
  refund_unanswered: () => 'The payment provider did not answer to a refund; it is sent again',
  refund_reversed: () => 'A refund came back from the buyer’s bank, so the order counts as paid again',
  partially_refunded: () => 'A part of the order was paid back',
  refunded: () => 'The whole order was paid back',
  disputed: () => 'The order is disputed',
  dispute_ended: () => 'The dispute is over, and the order counts as paid again',
  dispute: (details) =>
    `${DISPUTE_WORDS[String(details.status)] ?? `Dispute ${details.status}`}${because(details.reason)}`,
  flagged: (details) => `Marked for attention${because(details.flag)}`,
  flag_cleared: (details) => `Looked at and settled${because(details.note)}`,
  claim_link_sent: () => 'The link to claim the purchase was mailed again',
  receipt_sent: () => 'The receipt was mailed again',
  access_restored: () => 'Access to the courses of this order was given again',
  withdrawn: (details) =>
    `The buyer withdrew from ${details.itemIds?.length === 1 ? 'a course' : 'courses'} of this order; ${details.granted ? 'that is paid back' : 'an administrator has to decide'}`,
  withdrawal_accepted: () => 'A withdrawal in doubt was accepted; its line is paid back',
  withdrawal_declined: (details) => `A withdrawal was declined${because(details.reason)}`,
  transfer: (details) =>
    (details.amountCents ?? 0) > 0
      ? `A bank transfer${amount(details.amountCents)} came in${because(details.reference)}`
      : `${formatCents(-(details.amountCents ?? 0))} was sent back by bank${because(details.reference)}`,
  reminded: (details) =>
    `Reminder ${details.number} of the invoice was mailed${amount(details.outstandingCents)}`,
  anonymised: () => 'The buyer’s account was deleted; their name and address were taken out of the order',
};

export function eventText(event: OrderEvent): string {
  const sentence = tellEvent(SENTENCES, event, event.toStatus) ?? event.type.replaceAll('_', ' ');
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
