import { expect, it } from 'vitest';
import {
  brandOf,
  expiryProblem,
  formatCardNumber,
  formatExpiry,
  numberProblem,
  parseExpiry,
  passesLuhn,
} from './card-number.ts';
import { TEST_CARDS } from './test-cards.ts';

it('every test card passes Luhn and is listed once', () => {
  for (const { number } of TEST_CARDS) expect(passesLuhn(number), number).toBe(true);
  expect(new Set(TEST_CARDS.map(({ number }) => number)).size).toBe(TEST_CARDS.length);
});

it.each([
  ['4242424242424242', 'visa', '4242 4242 4242 4242'],
  ['378282246310005', 'amex', '3782 822463 10005'],
  ['5555555555554444999', 'mastercard', '5555 5555 5555 4444'],
  ['2223003122003222', 'mastercard', '2223 0031 2200 3222'],
  ['62000000', 'unionpay', '6200 0000'],
  ['', 'unknown', ''],
])('formats %s as a %s number', (digits, brand, shown) => {
  expect(brandOf(digits).brand).toBe(brand);
  expect(formatCardNumber(digits)).toBe(shown);
});

it.each([
  ['4242', 'incomplete_number'],
  ['4242424242424241', 'invalid_number'],
  ['4242424242424242', null],
  ['378282246310005', null],
])('says of %s: %s', (digits, problem) => {
  expect(numberProblem(digits)).toBe(problem);
});

it.each([
  ['1', '1'],
  ['4', '04 / '],
  ['12', '12 / '],
  ['123', '12 / 3'],
  ['12 / 34', '12 / 34'],
  ['12/2034', '12 / 34'],
  ['1/', '01 / '],
])('shows the expiry %j as %j', (typed, shown) => {
  expect(formatExpiry(typed, false)).toBe(shown);
});

it('lets the month be deleted', () => {
  expect(formatExpiry('12 /', true)).toBe('12');
});

it('knows when a card has expired', () => {
  const june = new Date(2030, 5, 15);
  expect(expiryProblem(parseExpiry('06 / 30'), june)).toBeNull();
  expect(expiryProblem(parseExpiry('05 / 30'), june)).toBe('invalid_expiry_month_past');
  expect(expiryProblem(parseExpiry('12 / 29'), june)).toBe('invalid_expiry_year_past');
  expect(expiryProblem(parseExpiry('12 / 99'), june)).toBe('invalid_expiry_year');
  expect(expiryProblem(parseExpiry('13 / 30'), june)).toBe('incomplete_expiry');
});
