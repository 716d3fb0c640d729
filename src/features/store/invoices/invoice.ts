import { counted } from '#src/shared/counted.ts';
import { longDay } from '#src/shared/dates.ts';
import { countryName } from '#src/shared/countries.ts';
import { formatCents } from '#src/shared/money.ts';
import type { OrderView } from '#src/features/store/orders/order-view.ts';
import type { Seller } from './billing.ts';

export type InvoiceFigure = { label: string; value: string; isTotal?: boolean };

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

/** "5 seats at $40.00", the price only in whole cents. */
export function seatsAt(seats: number, cents: number): string {
  const each = cents / seats;
  return `${counted(seats, 'seat')}${Number.isInteger(each) ? ` at ${formatCents(each)}` : ''}`;
}

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

export type InvoicedOrder = OrderView & { corrects?: { number: string; at: string } };

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

export type CreditNote = {
  number: string;
  at: string;
  text: string;
  seats: number | null;
  /** 0 where the money came back: numbers must be gapless. */
  amountCents: number;
};

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

/** With the invoice that was valid when the note was issued. */
export function creditedInvoice(view: OrderView, { at }: CreditNote): InvoicedOrder {
  const corrected = correctedInvoice(view);
  return corrected && at >= corrected.completedAt! ? corrected : view;
}

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

export function referencesOf({ billing }: Pick<OrderView, 'billing'>): { label: string; value: string }[] {
  return [
    { label: 'Your purchase order', value: billing?.purchaseOrder ?? '' },
    { label: 'Your cost center', value: billing?.costCentre ?? '' },
  ].filter(({ value }) => value !== '');
}

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

/** @param owedCents on a paper the amount at its issue */
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
