import { describe, expect, it } from 'vitest';
import { centsToDecimal } from '#src/shared/money.ts';
import { billingInput, normaliseVatNumber, vatLetters, vatNumberProblem } from './billing.ts';
import { ANYBODY, taxedBuyer, taxOn } from './tax.ts';

/** A number of each country of the Union as its authorities print it; none is a real company's. */
const NUMBERS: Record<string, string> = {
  AT: 'ATU12345678',
  BE: 'BE 0123.456.789',
  BG: 'BG123456789',
  CY: 'CY12345678X',
  CZ: 'CZ12345678',
  DE: 'DE 123 456 789',
  DK: 'DK12345678',
  EE: 'EE123456789',
  ES: 'ESX1234567X',
  FI: 'FI12345678',
  FR: 'FR XX 123456789',
  GR: 'EL123456789',
  HR: 'HR12345678901',
  HU: 'HU12345678',
  IE: 'IE1234567WA',
  IT: 'IT12345678901',
  LT: 'LT123456789',
  LU: 'LU12345678',
  LV: 'LV12345678901',
  MT: 'MT12345678',
  NL: 'NL123456789B01',
  PL: 'PL1234567890',
  PT: 'PT123456789',
  RO: 'RO1234567890',
  SE: 'SE123456789001',
  SI: 'SI12345678',
  SK: 'SK1234567890',
};

/** What 25 seats of $48.99 come to by country and kind of buyer: net, tax, gross, in cents, and the note. */
const FIXTURES = Object.keys(NUMBERS).flatMap((country) => [
  {
    country,
    kind: 'business' as const,
    vatNumber: normaliseVatNumber(NUMBERS[country]!),
    net: 122_475,
    tax: 0,
    gross: 122_475,
    note: 'reverse_charge',
  },
  { country, kind: 'business' as const, vatNumber: '', net: 122_475, tax: 0, gross: 122_475, note: null },
  { country, kind: 'consumer' as const, vatNumber: '', net: 4899, tax: 0, gross: 4899, note: null },
]);

describe('tax', () => {
  it.each(FIXTURES)('of $net for a $kind in $country ($vatNumber)', ({ net, tax, gross, note, ...buyer }) => {
    expect(taxOn(net, buyer)).toEqual({ taxCents: tax, note });
    // Net and tax add up to what is paid, to the cent.
    expect(net + taxOn(net, buyer).taxCents).toBe(gross);
    expect(centsToDecimal(net + tax)).toBe(centsToDecimal(gross));
  });

  it('is known for all 27 countries of the Union', () => {
    expect(new Set(FIXTURES.map(({ country }) => country)).size).toBe(27);
    expect(Object.keys(NUMBERS).every((country) => vatLetters(country) !== null)).toBe(true);
  });

  it('has no note outside the Union and for somebody of whom nothing is known', () => {
    expect(taxOn(100, { country: 'US', kind: 'business', vatNumber: '123456789' }).note).toBeNull();
    expect(taxOn(100, ANYBODY)).toEqual({ taxCents: 0, note: null });
  });

  it('has no note for a consumer, whatever number was typed', () => {
    expect(taxOn(100, { country: 'DE', kind: 'consumer', vatNumber: 'DE123456789' }).note).toBeNull();
  });

  it('takes a buyer with billing details for a business, and one without for a person', () => {
    const billing = { country: 'DE', vatNumber: 'DE123456789' };
    expect(taxedBuyer(billing)).toEqual({ ...billing, kind: 'business' });
    expect(taxedBuyer(null)).toEqual(ANYBODY);
  });
});

describe('a VAT number', () => {
  it.each(Object.entries(NUMBERS))('of %s is taken as it is printed', (country, typed) => {
    expect(vatNumberProblem(country, normaliseVatNumber(typed))).toBeNull();
  });

  it.each([
    ['DE', 'DE12345678'],
    ['DE', '123456789'],
    ['DE', 'AT123456789'],
    ['AT', 'AT12345678'],
    ['GR', 'GR123456789'],
    ['NL', 'NL12345678901'],
    ['US', '123'],
    ['US', '1'.repeat(21)],
    ['US', '/ABC123'],
    ['US', 'ABC123/'],
  ])('of %s is refused as %s', (country, number) => {
    expect(vatNumberProblem(country, number)).toMatch(/^VAT number/);
  });

  it.each(['1234', '12-3456789', 'A'.repeat(20)])('outside the Union may be %s', (typed) => {
    expect(vatNumberProblem('US', normaliseVatNumber(typed))).toBeNull();
  });

  it('may be left out', () => {
    expect(vatNumberProblem('DE', '')).toBeNull();
  });
});

describe('billing details', () => {
  const GOOD = {
    company: 'Example GmbH',
    address: 'Musterweg 1\n10115 Berlin',
    country: 'DE',
    vatNumber: 'de 123 456 789',
  };

  it('are kept as an invoice prints them', () => {
    expect(billingInput.parse(GOOD)).toEqual({
      ...GOOD,
      vatNumber: 'DE123456789',
      purchaseOrder: '',
      costCentre: '',
    });
  });

  it('may have an address of six lines', () => {
    const address = Array.from({ length: 6 }, () => 'x').join('\n');
    expect(billingInput.parse({ ...GOOD, address }).address).toBe(address);
  });

  it.each([
    [{ company: ' ' }, 'company'],
    [{ address: '' }, 'address'],
    [{ address: Array.from({ length: 7 }, () => 'x').join('\n') }, 'address'],
    [{ country: 'ZZ' }, 'country'],
    [{ country: undefined }, 'country'],
    [{ vatNumber: 'DE1' }, 'vatNumber'],
    [{ purchaseOrder: 'x'.repeat(61) }, 'purchaseOrder'],
  ])('%j is refused at its field', (change, field) => {
    const read = billingInput.safeParse({ ...GOOD, ...change });
    expect(read.error?.issues.map(({ path }) => path[0])).toContain(field);
  });
});
