import { z } from 'zod';
import { isCountry } from '#src/shared/countries.ts';
import { filled, line, text } from '#src/shared/fields.ts';

const ADDRESS_MAX = 300;
const ADDRESS_LINES = 6;

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

export type Billing = z.output<typeof billingInput> & { vatNumber?: string; taxNote?: string };

export type Seller = {
  name: string;
  legalName: string;
  address: string[];
  email: string;
  phone: string;
  taxId: string;
  bank: BankAccount | { holder: string; iban: string; bic: string };
};

type BankAccount = Record<
  'holder' | 'name' | 'accountNumber' | 'achRoutingNumber' | 'wireRoutingNumber' | 'swift',
  string
>;
