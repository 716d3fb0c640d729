import { z } from 'zod';
import { isCountry } from '#src/shared/countries.ts';
import { filled, line, text } from '#src/shared/fields.ts';

/**
 * How the VAT numbers of the Union's countries are written after the country's letters (European Commission, VIES FAQ,
 * question 11). Greece writes EL.
 */
const VAT_NUMBERS: Record<string, RegExp> = {
  AT: /^U\d{8}$/,
  BE: /^[01]\d{9}$/,
  BG: /^\d{9,10}$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^\d{9}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  ES: /^[A-Z0-9]\d{7}[A-Z0-9]$/,
  FI: /^\d{8}$/,
  FR: /^[A-Z0-9]{2}\d{9}$/,
  GR: /^\d{9}$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^(\d[A-Z0-9+*]\d{5}[A-Z]|\d{7}[A-Z]{2})$/,
  IT: /^\d{11}$/,
  LT: /^(\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  NL: /^[A-Z0-9+*]{10}\d{2}$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^\d{2,10}$/,
  SE: /^\d{12}$/,
  SI: /^\d{8}$/,
  SK: /^\d{10}$/,
};

/** The letters before a VAT number of a country of the Union; null elsewhere. */
export function vatLetters(country: string): string | null {
  if (!(country in VAT_NUMBERS)) return null;
  return country === 'GR' ? 'EL' : country;
}

/** "de 123 456 789" → "DE123456789": as it is stored and printed. */
export const normaliseVatNumber = (typed: string): string => typed.toUpperCase().replace(/[\s.-]/g, '');

/** What is wrong with a VAT number; null for one that is written as its country writes them, and for none. */
export function vatNumberProblem(country: string, vatNumber: string): string | null {
  if (vatNumber === '') return null;
  const letters = vatLetters(country);
  if (letters === null)
    return /^[A-Z0-9]{4,20}$/.test(vatNumber) ? null : 'VAT number must be 4 to 20 letters and digits';
  const fits = vatNumber.startsWith(letters) && VAT_NUMBERS[country]!.test(vatNumber.slice(letters.length));
  return fits ? null : `VAT number is not written as one of this country: it begins with ${letters}`;
}

/** Characters of an address at most, and its lines. */
const ADDRESS_MAX = 300;
const ADDRESS_LINES = 6;

/** Whom an invoice names, as it is typed. */
export const billingInput = z
  .object({
    company: line('Company', { min: 2, max: 160 }),
    address: text('Address', { max: ADDRESS_MAX }).refine(
      (value) => value.split('\n').length <= ADDRESS_LINES,
      `Address must have ${ADDRESS_LINES} lines at most`,
    ),
    country: z.string({ error: 'Country is required' }).refine(isCountry, 'Country is required'),
    vatNumber: filled(line('VAT number', { min: 0, max: 30 }).transform(normaliseVatNumber)),
    purchaseOrder: filled(line('Purchase order number', { min: 0, max: 60 })),
    costCentre: filled(line('Cost centre', { min: 0, max: 60 })),
  })
  .superRefine(({ country, vatNumber }, context) => {
    const message = vatNumberProblem(country, vatNumber);
    if (message) context.addIssue({ code: 'custom', path: ['vatNumber'], message });
  });
export type Billing = z.output<typeof billingInput>;

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
