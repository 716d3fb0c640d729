import { formatCents } from '#src/shared/money.ts';
import type { OrderView } from '#src/features/store/orders/order-view.ts';

/** What an invoice says in its figures, for the page and the file alike. */
export type InvoiceFigure = { label: string; value: string; isTotal?: boolean };

/** The totals of an invoice, one below the other. */
export function invoiceFigures({ totals }: Pick<OrderView, 'totals'>): InvoiceFigure[] {
  const { subtotalCents, coupon, taxCents, totalCents } = totals;
  return [
    { label: 'Subtotal', value: formatCents(subtotalCents) },
    ...(coupon ? [{ label: `Coupon ${coupon.code}`, value: `-${formatCents(coupon.discountCents)}` }] : []),
    { label: 'Tax', value: formatCents(taxCents) },
    { label: 'Total (USD)', value: formatCents(totalCents), isTotal: true },
    { label: totalCents === 0 ? 'Paid' : 'Paid by card', value: formatCents(totalCents) },
  ];
}

/** A credit note: money that went back to the buyer. */
export type CreditNote = { number: string; at: string; text: string; amount: string };

/** The credit notes of an invoice, oldest first, and what is left of it; refunds that did not arrive are none. */
export function creditNotes(view: OrderView): { notes: CreditNote[]; leftToBuyer: string } | null {
  const { invoiceNumber, refunds, chargedBackCents, totals } = view;
  const arrived = refunds.filter((refund) => refund.status === 'succeeded');
  if (arrived.length === 0 && chargedBackCents === 0) return null;
  const notes = arrived.map(({ number, at, title, amountCents }) => ({
    number: `${invoiceNumber}-R${number}`,
    at,
    text: title ? `Refund for “${title}”` : 'Refund',
    amount: `-${formatCents(amountCents)}`,
  }));
  const backCents = arrived.reduce((sum, refund) => sum + refund.amountCents, chargedBackCents);
  return {
    notes: [
      ...notes,
      ...(chargedBackCents > 0
        ? [
            {
              number: `${invoiceNumber}-D`,
              at: '',
              text: 'Payment returned by the bank after a dispute',
              amount: `-${formatCents(chargedBackCents)}`,
            },
          ]
        : []),
    ],
    leftToBuyer: formatCents(Math.max(0, totals.totalCents - backCents)),
  };
}

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** '2026-11-20T…Z' → 'November 20, 2026', by the calendar of UTC. */
export function invoiceDate(iso: string): string {
  return day.format(new Date(iso));
}
