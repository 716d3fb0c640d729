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
  bank: z.object({ holder: z.string(), iban: z.string(), bic: z.string() }),
});

let known: Seller | undefined;

/** The seller's details, from the file that also names the firm on every page; read once. */
export function seller(): Seller {
  if (!known) {
    const file = readFileSync(new URL('../../../content/site.yaml', import.meta.url), 'utf8');
    const { name, legalName, email, phone, address, taxId, bank } = facts.parse(parse(file));
    const { street, city, state, zip } = address;
    known = {
      name,
      legalName,
      email,
      phone,
      address: [street, `${city}, ${state} ${zip}`],
      place: { street, city, zip },
      taxId,
      bank,
    };
  }
  return known;
}
