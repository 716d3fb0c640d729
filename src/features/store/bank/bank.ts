export const WAITING_MAX = 20;
/** Days after the due date. */
export const REMINDER_DAYS = [1, 8, 22] as const;

interface BankFacts {
  status: string;
  totalCents: number;
  refundedCents: number;
  receivedCents: number;
  dueAt: string | null;
}

/** `waiting`: not released yet; `closed`: ended before anything opened. */
type BankState = 'waiting' | 'closed' | 'open' | 'overdue' | 'paid' | 'overpaid';

export interface BankMoney {
  receivedCents: number;
  /** Below zero where money has to be sent back by hand. */
  outstandingCents: number;
  /** ISO 8601; null before the release. */
  dueAt: string | null;
  state: BankState;
  transfers: { amountCents: number; bookedOn: string; reference: string }[];
}

/** In cents; below zero where too much was paid; 0 before the release. */
export function outstandingCents(
  facts: Pick<BankFacts, 'totalCents' | 'refundedCents' | 'receivedCents'>,
): number {
  return facts.totalCents - facts.refundedCents - facts.receivedCents;
}

export function bankState(facts: BankFacts, now: Date): BankState {
  if (facts.status === 'pending') return 'waiting';
  if (facts.status === 'expired' || facts.status === 'failed') return 'closed';
  const open = outstandingCents(facts);
  if (open < 0) return 'overpaid';
  if (open === 0) return 'paid';
  return facts.dueAt !== null && new Date(facts.dueAt) < now ? 'overdue' : 'open';
}

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
