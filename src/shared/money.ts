/** Decision 14. */
export const CURRENCY = 'usd';
/** The provider's limit for one payment: 999,999.99. */
export const PRICE_MAX_CENTS = 99_999_999;

/** 4900 → '49.00' (decision 14). */
export function centsToDecimal(cents: number): string {
  if (!Number.isSafeInteger(cents)) throw new RangeError(`Not an amount in cents: ${cents}`);
  const sign = cents < 0 ? '-' : '';
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** '49', '49.5', '49.00' → 4900; null for inexact amounts. */
export function decimalToCents(value: string): number | null {
  const match = /^(\d{1,8})(?:\.(\d{1,2}))?$/.exec(value);
  if (!match) return null;
  return Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'));
}

/** For our own amounts: an unreadable one throws. */
export function centsOf(decimal: string): number {
  const cents = decimalToCents(decimal);
  if (cents === null) throw new RangeError(`Not an amount of dollars: ${decimal}`);
  return cents;
}

/** '49.00' → '$49.00'. */
export const formatDecimal = (decimal: string): string => formatCents(centsOf(decimal));

/** 4900 → '$49.00'. */
export function formatCents(cents: number): string {
  return `${cents < 0 ? '-' : ''}$${centsToDecimal(Math.abs(cents)).replace(/\B(?=(\d{3})+(?=\.))/g, ',')}`;
}

/** round((originalPrice - price) / originalPrice x 100) (spec 9); null without a higher original price (fault N9). */
export function discountPercent(priceCents: number, originalPriceCents: number | null): number | null {
  if (!originalPriceCents || originalPriceCents <= priceCents) return null;
  return Math.round(((originalPriceCents - priceCents) / originalPriceCents) * 100) || null;
}
