/** Rules about card numbers, dates and security codes; runs in the browser (card form) and in the sandbox's API. */

export type CardBrand =
  | 'visa'
  | 'mastercard'
  | 'amex'
  | 'discover'
  | 'diners'
  | 'jcb'
  | 'unionpay'
  | 'unknown';

interface BrandRule {
  brand: CardBrand;
  name: string;
  prefix: RegExp;
  lengths: readonly number[];
  groups: readonly number[];
  cvcLength: 3 | 4;
}

const FOURS = [4, 4, 4, 4, 3] as const;

const BRANDS: readonly BrandRule[] = [
  { brand: 'visa', name: 'Visa', prefix: /^4/, lengths: [16], groups: FOURS, cvcLength: 3 },
  {
    brand: 'mastercard',
    name: 'Mastercard',
    prefix: /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/,
    lengths: [16],
    groups: FOURS,
    cvcLength: 3,
  },
  {
    brand: 'amex',
    name: 'American Express',
    prefix: /^3[47]/,
    lengths: [15],
    groups: [4, 6, 5],
    cvcLength: 4,
  },
  {
    brand: 'discover',
    name: 'Discover',
    prefix: /^(6011|64[4-9]|65)/,
    lengths: [16],
    groups: FOURS,
    cvcLength: 3,
  },
  {
    brand: 'diners',
    name: 'Diners Club',
    prefix: /^(30[0-5]|36|38|39)/,
    lengths: [14, 16],
    groups: FOURS,
    cvcLength: 3,
  },
  { brand: 'jcb', name: 'JCB', prefix: /^35/, lengths: [16], groups: FOURS, cvcLength: 3 },
  {
    brand: 'unionpay',
    name: 'UnionPay',
    prefix: /^62/,
    lengths: [16, 17, 18, 19],
    groups: FOURS,
    cvcLength: 3,
  },
];

const UNKNOWN: BrandRule = {
  brand: 'unknown',
  name: 'Card',
  prefix: /^/,
  lengths: [16],
  groups: FOURS,
  cvcLength: 3,
};

/** The digits of what was typed or pasted. */
export function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}

/** The rule of the brand these leading digits belong to. */
export function brandOf(digits: string): BrandRule {
  return BRANDS.find((rule) => rule.prefix.test(digits)) ?? UNKNOWN;
}

/** Digits in the brand's groups, "4242 4242 4242 4242". */
export function formatCardNumber(text: string): string {
  const rule = brandOf(digitsOf(text));
  const digits = digitsOf(text).slice(0, Math.max(...rule.lengths));
  const groups: string[] = [];
  let from = 0;
  for (const size of rule.groups) {
    if (from >= digits.length) break;
    groups.push(digits.slice(from, from + size));
    from += size;
  }
  return groups.join(' ');
}

/** True when the number passes the Luhn check (ISO/IEC 7812-1). */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let place = 0; place < digits.length; place += 1) {
    let value = digits.charCodeAt(digits.length - 1 - place) - 48;
    if (place % 2 === 1) value = value > 4 ? value * 2 - 9 : value * 2;
    sum += value;
  }
  return digits.length > 0 && sum % 10 === 0;
}

type NumberProblem = 'incomplete_number' | 'invalid_number';

/** What is wrong with a card number, or null. */
export function numberProblem(digits: string): NumberProblem | null {
  const rule = brandOf(digits);
  if (digits.length < Math.min(...rule.lengths)) return 'incomplete_number';
  return rule.lengths.includes(digits.length) && passesLuhn(digits) ? null : 'invalid_number';
}

/** "1" stays, "4" becomes "04 / ", "1230" becomes "12 / 30": what the expiry field shows after each key. */
export function formatExpiry(text: string, deleting: boolean): string {
  let digits = digitsOf(text);
  // A pasted "12/2030" keeps the last two digits of its year.
  if (digits.length === 6 && digits.slice(2, 4) === '20') digits = digits.slice(0, 2) + digits.slice(4);
  if (digits.length === 1 && (digits > '1' || /^\d\s*\//.test(text))) digits = `0${digits}`;
  digits = digits.slice(0, 4);
  if (digits.length < 2 || (digits.length === 2 && deleting)) return digits;
  return `${digits.slice(0, 2)} / ${digits.slice(2)}`;
}

type ExpiryProblem =
  | 'incomplete_expiry'
  | 'invalid_expiry_month_past'
  | 'invalid_expiry_year_past'
  | 'invalid_expiry_year';

/** Month 1–12 and four-digit year of "MM / YY", or null while it is not complete. */
export function parseExpiry(text: string): { month: number; year: number } | null {
  const digits = digitsOf(text);
  const month = Number(digits.slice(0, 2));
  if (digits.length !== 4 || month < 1 || month > 12) return null;
  return { month, year: 2000 + Number(digits.slice(2)) };
}

/** What is wrong with an expiry date, or null. */
export function expiryProblem(
  expiry: { month: number; year: number } | null,
  now = new Date(),
): ExpiryProblem | null {
  if (!expiry) return 'incomplete_expiry';
  const year = now.getFullYear();
  if (expiry.year < year) return 'invalid_expiry_year_past';
  if (expiry.year === year && expiry.month < now.getMonth() + 1) return 'invalid_expiry_month_past';
  return expiry.year > year + 50 ? 'invalid_expiry_year' : null;
}
