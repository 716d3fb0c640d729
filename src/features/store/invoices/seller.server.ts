import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Seller } from './billing.ts';

const facts = z.object({
  name: z.string(),
  legalName: z.string(),
  email: z.string(),
  phone: z.string(),
  address: z.object({ street: z.string(), city: z.string(), state: z.string(), zip: z.string() }),
  taxId: z.string(),
  bank: z.object({
    holder: z.string(),
    name: z.string(),
    accountNumber: z.string(),
    achRoutingNumber: z.string(),
    wireRoutingNumber: z.string(),
    swift: z.string(),
  }),
  quotes: z.object({ validDays: z.number(), terms: z.array(z.string()) }),
});

let known: { seller: Seller; quotes: z.output<typeof facts>['quotes'] } | undefined;

function read() {
  if (known) return known;
  const file = readFileSync(new URL('../../../content/site.yaml', import.meta.url), 'utf8');
  const { name, legalName, email, phone, address, taxId, bank, quotes } = facts.parse(parse(file));
  const { street, city, state, zip } = address;
  known = {
    quotes,
    seller: {
      name,
      legalName,
      email,
      phone,
      address: [street, `${city}, ${state} ${zip}`],
      taxId,
      bank,
    },
  };
  return known;
}

export const seller = (): Seller => read().seller;

export const quoteTerms = () => read().quotes;
