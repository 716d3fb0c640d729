/** The times for which the books can be compared; null days for all of it. */
export const BOOK_PERIODS: { days: number | null; label: string }[] = [
  { days: 30, label: 'Last 30 days' },
  { days: 90, label: 'Last 90 days' },
  { days: 365, label: 'Last year' },
  { days: null, label: 'Everything' },
];

/** The time that an address asks for: 30 days where it asks for none or for an unknown one; null for everything. */
export function parseBookDays(value: string | null): number | null {
  if (value === 'all') return null;
  return BOOK_PERIODS.find(({ days }) => days !== null && String(days) === value)?.days ?? 30;
}

const LABELS: Record<string, string> = {
  paid_not_completed: 'Paid, not completed',
  not_paid_at_provider: 'Not paid at the provider',
  payment_does_not_fit: 'The payment does not fit',
  second_payment: 'Paid twice',
  payment_without_order: 'Payment without an order',
  lines: 'Total and lines',
  ledger: 'Order and ledger',
  refunds: 'Refunds',
  disputes: 'Disputes',
  status: 'State',
  receipt: 'Receipt',
  invoices: 'Invoice numbers',
};

/** What a kind of disagreement is called on the page. */
export function disagreementLabel(kind: string): string {
  return LABELS[kind] ?? kind.replaceAll('_', ' ');
}
