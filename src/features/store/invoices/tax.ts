import { type Billing, vatLetters } from './billing.ts';

/** Who buys, as far as tax is concerned. Null where nobody has said so. */
export interface TaxedBuyer {
  /** Two letters. */
  country: string | null;
  kind: 'consumer' | 'business';
  /** Empty where there is none. */
  vatNumber: string;
}

/** What is charged, and what the invoice has to say about it. */
export interface Tax {
  taxCents: number;
  /** `reverse_charge`: the buyer owes the tax in their own country (directive 2006/112, article 196). */
  note: 'reverse_charge' | null;
}

/** Somebody of whom only the money is known: a buyer by card. */
export const ANYBODY: TaxedBuyer = { country: null, kind: 'consumer', vatNumber: '' };

/** Who buys by the details that the invoice names; without them it is a person. */
export function taxedBuyer(billing: Pick<Billing, 'country' | 'vatNumber'> | null): TaxedBuyer {
  return billing ? { country: billing.country, kind: 'business', vatNumber: billing.vatNumber } : ANYBODY;
}

/**
 * The tax on an amount: none, in this one place (decision 20, spec 9). A business in the Union with a VAT number is told
 * that the tax is for it to pay.
 *
 * @param _netCents what the lines cost after a coupon
 */
export function taxOn(_netCents: number, { country, kind, vatNumber }: TaxedBuyer): Tax {
  const owesItself =
    kind === 'business' && vatNumber !== '' && country !== null && vatLetters(country) !== null;
  return { taxCents: 0, note: owesItself ? 'reverse_charge' : null };
}

/** The sentence that stands on the invoice for a note. */
export const TAX_NOTES: Record<NonNullable<Tax['note']>, string> = {
  reverse_charge:
    'Reverse charge: the tax is to be paid by the recipient (article 196 of directive 2006/112/EC).',
};
