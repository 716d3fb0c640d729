import { longDay } from '#src/shared/dates.ts';
import { countryName } from '#src/shared/countries.ts';
import { formatCents } from '#src/shared/money.ts';
import type { OrderView } from '#src/features/store/orders/order-view.ts';
import type { Seller } from './billing.ts';
import { TAX_NOTES, taxedBuyer, taxOn } from './tax.ts';

/** What an invoice says in its figures, for the page and the file alike. */
export type InvoiceFigure = { label: string; value: string; isTotal?: boolean };

/** The totals of an invoice, one below the other. */
export function invoiceFigures({
  totals,
  payment,
  prepaidCents,
}: Pick<OrderView, 'totals' | 'payment' | 'prepaidCents'>): InvoiceFigure[] {
  const { subtotalCents, coupon, taxCents, totalCents } = totals;
  return [
    { label: 'Subtotal', value: formatCents(subtotalCents) },
    ...(coupon ? [{ label: `Coupon ${coupon.code}`, value: `-${formatCents(coupon.discountCents)}` }] : []),
    { label: 'Tax', value: formatCents(taxCents) },
    { label: 'Total (USD)', value: formatCents(totalCents), isTotal: true },
    ...(payment === 'bank'
      ? [
          { label: 'Received by bank transfer', value: formatCents(prepaidCents) },
          { label: 'To be paid', value: formatCents(totalCents - prepaidCents) },
        ]
      : [{ label: totalCents === 0 ? 'Paid' : 'Paid by card', value: formatCents(totalCents) }]),
  ];
}

/** A credit note: money that went back to the buyer. */
export type CreditNote = { number: string; at: string; text: string; amount: string };

/** The credit notes of an invoice, oldest first, and what is left of it. */
export function creditNotes(view: OrderView): { notes: CreditNote[]; leftToBuyer: string } | null {
  const { refunds, chargebacks, totals } = view;
  const numbered = [
    ...refunds.map((refund) => ({
      ...refund,
      // A number is kept although the money came back: none may be missing.
      isBack: refund.status === 'succeeded',
      text: refund.title ? `Refund for “${refund.title}”` : 'Refund',
    })),
    ...chargebacks.map((one) => ({
      ...one,
      isBack: true,
      text: 'Payment returned by the bank after a dispute',
    })),
  ].filter((note) => note.creditNoteNumber !== null);
  if (numbered.length === 0) return null;
  const backCents = numbered.reduce((sum, { isBack, amountCents }) => sum + (isBack ? amountCents : 0), 0);
  return {
    notes: numbered.map(({ creditNoteNumber, at, text, amountCents, isBack }) => ({
      number: creditNoteNumber!,
      at,
      text: isBack ? text : `${text}: cancelled, the money did not arrive`,
      amount: isBack ? `-${formatCents(amountCents)}` : formatCents(0),
    })),
    leftToBuyer: formatCents(Math.max(0, totals.totalCents - backCents)),
  };
}

/** Whom a paper names, line by line, the first in bold: the company with its address, or the buyer. */
export function billedTo({ billing, buyer }: Pick<OrderView, 'billing' | 'buyer'>): string[] {
  if (!billing) return [buyer.name, buyer.email].filter(Boolean);
  return [
    billing.company,
    ...billing.address.split('\n'),
    countryName(billing.country),
    ...(billing.vatNumber ? [`VAT number ${billing.vatNumber}`] : []),
    ...(buyer.email ? [buyer.email] : []),
  ];
}

/** What an organisation's own bookkeeping looks for. */
export function referencesOf({ billing }: Pick<OrderView, 'billing'>): { label: string; value: string }[] {
  return [
    { label: 'Your purchase order', value: billing?.purchaseOrder ?? '' },
    { label: 'Your cost centre', value: billing?.costCentre ?? '' },
  ].filter(({ value }) => value !== '');
}

/**
 * The sentences below the figures: who owes the tax, and where an invoice is paid to.
 *
 * @param owedCents what is to be paid: on a paper what was when it was issued
 */
export function paperNotes(
  view: Pick<OrderView, 'id' | 'billing' | 'bank' | 'invoiceNumber'>,
  bank: Seller['bank'],
  owedCents: number,
): string[] {
  const { note } = taxOn(0, taxedBuyer(view.billing));
  const by = view.bank?.dueAt ? ` by ${longDay(view.bank.dueAt)}` : '';
  return [
    ...(note ? [TAX_NOTES[note]] : []),
    ...(owedCents > 0
      ? [
          `Please transfer ${formatCents(owedCents)}${by} to ${bank.holder}, IBAN ${bank.iban}, BIC ${bank.bic}, with the reference ${view.invoiceNumber ?? `Order ${view.id}`}.`,
        ]
      : []),
  ];
}
