import { z } from 'zod';
import { isCountry } from '#src/shared/countries.ts';
import { filled, line, text } from '#src/shared/fields.ts';

/** Characters of an address at most, and its lines. */
const ADDRESS_MAX = 300;
const ADDRESS_LINES = 6;

/** Whom an invoice names, as it is typed. */
export const billingInput = z.object({
  company: line('Company', { min: 2, max: 160 }),
  address: text('Address', { max: ADDRESS_MAX }).refine(
    (value) => value.split('\n').length <= ADDRESS_LINES,
    `Address must have ${ADDRESS_LINES} lines at most`,
  ),
  country: z.string({ error: 'Country is required' }).refine(isCountry, 'Country is required'),
  purchaseOrder: filled(line('Purchase order number', { min: 0, max: 60 })),
  costCentre: filled(line('Cost center', { min: 0, max: 60 })),
});

/** Whom an invoice names. One of before may have a VAT number, and say who owes the tax. */
export type Billing = z.output<typeof billingInput> & { vatNumber?: string; taxNote?: string };

/** Who sells, as an invoice names them. */
export type Seller = {
  name: string;
  legalName: string;
  /** The postal address, line by line. */
  address: string[];
  email: string;
  phone: string;
  /** The number under which the firm pays taxes. */
  taxId: string;
  /** Where invoices are paid to; invoices of before name an IBAN. */
  bank: BankAccount | { holder: string; iban: string; bic: string };
};

export type BankAccount = Record<
  'holder' | 'name' | 'accountNumber' | 'achRoutingNumber' | 'wireRoutingNumber' | 'swift',
  string
>;
