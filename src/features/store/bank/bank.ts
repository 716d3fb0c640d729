/** Orders of an organisation that may wait for an administrator or for money at once. */
export const WAITING_MAX = 20;
/** Days after which an unpaid invoice is reminded of, counted from the day it was due. */
export const REMINDER_DAYS = [1, 8, 22] as const;

/** What there is to know of an order by invoice to say how its money stands; amounts in cents. */
export interface BankFacts {
  status: string;
  totalCents: number;
  /** What credit notes took off the invoice. */
  refundedCents: number;
  /** What came in, less what was sent back. */
  receivedCents: number;
  dueAt: string | null;
}

/** `waiting`: nobody has released it; `closed`: it ended before anything opened. */
export type BankState = 'waiting' | 'closed' | 'open' | 'overdue' | 'paid' | 'overpaid';

/** How the money of an order by invoice stands, for pages; amounts in cents. */
export interface BankMoney {
  receivedCents: number;
  /** Below zero where money has to be sent back by hand. */
  outstandingCents: number;
  /** ISO 8601; null before the release. */
  dueAt: string | null;
  state: BankState;
  /** What came in, and below zero what was sent back, by day. */
  transfers: { amountCents: number; bookedOn: string; reference: string }[];
}

/** What is still to be paid of an order, in cents; below zero where too much was. Nothing before it is released. */
export function outstandingCents(
  facts: Pick<BankFacts, 'totalCents' | 'refundedCents' | 'receivedCents'>,
): number {
  return facts.totalCents - facts.refundedCents - facts.receivedCents;
}

/** How the money of an order by invoice stands. */
export function bankState(facts: BankFacts, now: Date): BankState {
  if (facts.status === 'pending') return 'waiting';
  if (facts.status === 'expired' || facts.status === 'failed') return 'closed';
  const open = outstandingCents(facts);
  if (open < 0) return 'overpaid';
  if (open === 0) return 'paid';
  return facts.dueAt !== null && new Date(facts.dueAt) < now ? 'overdue' : 'open';
}

/** Each state as a word, in the color that fits it. */
export const BANK_STATES: Record<
  BankState,
  { label: string; tone: 'neutral' | 'info' | 'success' | 'warning' | 'danger' }
> = {
  waiting: { label: 'Waiting for release', tone: 'warning' },
  closed: { label: 'Closed', tone: 'neutral' },
  open: { label: 'To be paid', tone: 'info' },
  overdue: { label: 'Overdue', tone: 'danger' },
  paid: { label: 'Paid', tone: 'success' },
  overpaid: { label: 'Goes back by transfer', tone: 'warning' },
};
