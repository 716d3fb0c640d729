import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { centsOf, centsToDecimal, decimalToCents, discountPercent, formatCents } from './money.ts';

describe('money', () => {
  it('travels as a decimal string and comes back the same', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999 }), (cents) => {
        expect(decimalToCents(centsToDecimal(cents))).toBe(cents);
      }),
    );
  });

  it.each([
    '19.999',
    '1e5',
    '١٩',
    ' 19 ',
    '-0',
    '-1',
    'Infinity',
    'NaN',
    '',
    '.5',
    '5.',
    '1,000',
    '0x10',
    '123456789',
  ])('does not take %j for an amount (N8)', (value) => {
    expect(decimalToCents(value)).toBeNull();
    expect(() => centsOf(value)).toThrow(`Not an amount of dollars: ${value}`);
  });

  it.each([
    ['0', 0],
    ['0.5', 50],
    ['49', 4900],
    ['49.00', 4900],
    ['99999999.99', 9_999_999_999],
  ])('reads %s', (value, cents) => {
    expect(decimalToCents(value)).toBe(cents);
  });

  it('refuses to write what is not a whole number of cents', () => {
    expect(() => centsToDecimal(1.5)).toThrow(new RangeError('Not an amount in cents: 1.5'));
  });

  it('writes an amount below zero with its sign', () => {
    expect([-5, -4900].map(centsToDecimal)).toEqual(['-0.05', '-49.00']);
  });

  it.each([
    [0, '$0.00'],
    [5, '$0.05'],
    [123_456_789, '$1,234,567.89'],
    [-4900, '-$49.00'],
  ])('shows %d cents as %s', (cents, shown) => {
    expect(formatCents(cents)).toBe(shown);
  });

  it.each([
    [4900, 8900, 45],
    [4999, 9999, 50],
    [4900, null, null],
    [4900, 0, null],
    [4900, 4900, null],
    [4900, 100, null],
    [0, 5000, 100],
    [9999, 10_000, null],
  ])('rounds the discount of %d against %s to %s (N9)', (price, original, percent) => {
    expect(discountPercent(price, original)).toBe(percent);
  });
});
