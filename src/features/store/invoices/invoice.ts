import { counted } from '#src/shared/counted.ts';
import { longDay } from '#src/shared/dates.ts';
import { countryName } from '#src/shared/countries.ts';
import { formatCents } from '#src/shared/money.ts';
import type { OrderView } from '#src/features/store/orders/order-view.ts';
import type { Seller } from './billing.ts';

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

/** "5 seats at $40.00": how many they are, and what each costs where that is a whole number of cents. */
export function seatsAt(seats: number, cents: number): string {
  const each = cents / seats;
  return `${counted(seats, 'seat')}${Number.isInteger(each) ? ` at ${formatCents(each)}` : ''}`;
}

/** What stands below the title of an invoice's line. */
export function aboutLine({
  bundleTitle,
  seats,
  listPriceCents,
}: Pick<OrderView['lines'][number], 'bundleTitle' | 'seats' | 'listPriceCents'>): string {
  const bundle = bundleTitle === null ? '' : `Bundle “${bundleTitle}”: `;
  if (seats !== null)
    return `${bundle}${seatsAt(seats, listPriceCents)}, lifetime access for one person each`;
  return `${bundle}Online course, lifetime access`;
}

/** The discount that is in the price of seats, in a line of its own; null where there is none. */
export function discountLine({
  seats,
  fullPriceCents,
  listPriceCents,
}: Pick<OrderView['lines'][number], 'seats' | 'fullPriceCents' | 'listPriceCents'>): string | null {
  if (seats === null || fullPriceCents === null) return null;
  const off = fullPriceCents - listPriceCents;
  const percent = (off / fullPriceCents) * 100;
  const share = Number.isInteger(percent) ? ` (${percent}%)` : '';
  return `Discount: ${seatsAt(seats, fullPriceCents)} before, less ${formatCents(off)}${share}`;
}

/** An order whose invoice is drawn; `corrects` is the invoice whose place it takes. */
export type InvoicedOrder = OrderView & { corrects?: { number: string; at: string } };

/** An order as its corrected invoice shows it; null where it has none. */
export function correctedInvoice(view: OrderView): InvoicedOrder | null {
  const { correction, invoiceNumber, completedAt } = view;
  if (!correction) return null;
  return {
    ...view,
    billing: correction.billing,
    invoiceNumber: correction.number,
    completedAt: correction.at,
    corrects: { number: invoiceNumber!, at: completedAt! },
  };
}

/** A credit note: what went back to the buyer, or off the invoice. */
export type CreditNote = {
  number: string;
  at: string;
  text: string;
  /** How many seats it is for; null where it is about money alone. */
  seats: number | null;
  /** None where the money came back: the number stays, because none may be missing. */
  amountCents: number;
};

/** The credit notes of an invoice, refunds first, each oldest first. */
export function creditNotes({
  refunds,
  chargebacks,
}: Pick<OrderView, 'refunds' | 'chargebacks'>): CreditNote[] {
  const back = refunds.map(({ creditNoteNumber, at, title, seats, amountCents, status }) => {
    const text = title ? `Refund for “${title}”` : 'Refund';
    const isBack = status === 'succeeded';
    return {
      number: creditNoteNumber,
      at,
      text: isBack ? text : `${text}: canceled, the money did not arrive`,
      seats: isBack ? seats : null,
      amountCents: isBack ? amountCents : 0,
    };
  });
  const lost = chargebacks.map(({ creditNoteNumber, at, amountCents }) => ({
    number: creditNoteNumber,
    at,
    text: 'Payment returned by the bank after a dispute',
    seats: null,
    amountCents,
  }));
  return [...back, ...lost].flatMap(({ number, ...note }) => (number === null ? [] : [{ number, ...note }]));
}

/** The order as the invoice shows it that a credit note is of: the one that was issued last before it. */
export function creditedInvoice(view: OrderView, { at }: CreditNote): InvoicedOrder {
  const corrected = correctedInvoice(view);
  return corrected && at >= corrected.completedAt! ? corrected : view;
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
    { label: 'Your cost center', value: billing?.costCentre ?? '' },
  ].filter(({ value }) => value !== '');
}

/** What a bank asks of a sender beside the account's holder. */
export function accountFigures(bank: Seller['bank']): { label: string; value: string }[] {
  if ('iban' in bank) {
    return [
      { label: 'IBAN', value: bank.iban },
      { label: 'BIC', value: bank.bic },
    ];
  }
  const { name, accountNumber, achRoutingNumber, wireRoutingNumber, swift } = bank;
  return [
    { label: 'bank', value: name },
    { label: 'account number', value: accountNumber },
    ...(achRoutingNumber === wireRoutingNumber
      ? [{ label: 'routing number (ACH and wire)', value: achRoutingNumber }]
      : [
          { label: 'routing number (ACH)', value: achRoutingNumber },
          { label: 'routing number (wire)', value: wireRoutingNumber },
        ]),
    { label: 'SWIFT code (from abroad)', value: swift },
  ];
}

/**
 * The sentences below the figures: what an invoice of before says of the tax, and where it is paid to.
 *
 * @param owedCents what is to be paid: on a paper what was when it was issued
 */
export function paperNotes(
  view: Pick<OrderView, 'id' | 'billing' | 'bank' | 'invoiceNumber'>,
  bank: Seller['bank'],
  owedCents: number,
): string[] {
  const by = view.bank?.dueAt ? ` by ${longDay(view.bank.dueAt)}` : '';
  const account = accountFigures(bank).map(({ label, value }) => `${label} ${value}`);
  return [
    ...(view.billing?.taxNote ? [view.billing.taxNote] : []),
    ...(owedCents > 0
      ? [
          `Please transfer ${formatCents(owedCents)}${by} to ${[bank.holder, ...account].join(', ')}, with the reference ${view.invoiceNumber ?? `Order ${view.id}`}.`,
        ]
      : []),
  ];
}
