/** Days. */
export const RECONCILED_DAYS = ['30', '90', '365', 'all'] as const;
export type ReconciledDays = (typeof RECONCILED_DAYS)[number];

export const RECONCILED_PERIODS: Record<ReconciledDays, string> = {
  '30': 'Last 30 days',
  '90': 'Last 90 days',
  '365': 'Last year',
  all: 'Everything',
};

/** Default 30 days. */
export function parseReconciledDays(value: string | null): ReconciledDays {
  return RECONCILED_DAYS.find((days) => days === value) ?? '30';
}

/** Of each kind: more would only take memory. */
export const LISTED_MAX = 200;

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

export function disagreementLabel(kind: string): string {
  return LABELS[kind] ?? kind.replaceAll('_', ' ');
}
