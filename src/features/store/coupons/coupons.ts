import { formatCents } from '#src/shared/money.ts';

/** The provider's smallest charge (decision 23). */
export const CHARGE_MIN_CENTS = 50;

export type CouponValue =
  | { kind: 'percent'; percentOff: number; courseId: number | null }
  | { kind: 'fixed'; amountOffCents: number; courseId: number | null };

export type DiscountableLine = { courseId: number; priceCents: number };

export type CouponDiscount = {
  discountCents: number;
  shares: number[];
  reduced: boolean;
};

export const COUPON_REFUSALS = {
  unknown: 'There is no coupon with this code.',
  disabled: 'This coupon is no longer valid.',
  expired: 'This coupon has expired.',
  used_up: 'This coupon has been used up.',
  used_before: 'You have used this coupon already. It can be used once.',
  in_use: 'This coupon is part of another payment of yours that is under way.',
  other_course: 'This coupon does not apply to anything in your order.',
  nothing_to_pay: 'There is nothing to pay, so a coupon would change nothing.',
  too_small: `This coupon cannot be used here: less than ${formatCents(CHARGE_MIN_CENTS)} would be left to pay, and a card cannot be charged less than that.`,
} as const;
export type CouponRefusal = keyof typeof COUPON_REFUSALS;

/** '  spring-10 ' → 'SPRING-10', without the invisible marks of copied text. */
export function normaliseCouponCode(code: string): string {
  return code
    .normalize('NFKC')
    .replace(/[\s\p{Cf}]+/gu, '')
    .toUpperCase();
}

/**
 * Largest remainder: whole cents that add up exactly; equal remainders go to the earlier weight.
 * @param amountCents at most the sum of the weights
 */
export function splitByWeight(amountCents: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  if (amountCents > sum) throw new RangeError(`${amountCents} cents do not fit into ${sum}`);
  if (amountCents === 0) return weights.map(() => 0);
  // The product of two amounts can exceed exact numbers.
  const parts = weights.map((weight) => {
    const product = BigInt(amountCents) * BigInt(weight);
    return { share: Number(product / BigInt(sum)), remainder: product % BigInt(sum) };
  });
  let left = amountCents - parts.reduce((total, part) => total + part.share, 0);
  const byRemainder = parts.toSorted((a, b) => Number(b.remainder - a.remainder));
  for (const part of byRemainder) {
    if (left === 0) break;
    part.share += 1;
    left -= 1;
  }
  return parts.map((part) => part.share);
}

/**
 * Percentages round half up. Where 0.01 to 0.49 would be left, the discount shrinks to leave a chargeable total.
 * @returns a refusal where it takes nothing off
 */
export function couponDiscount(
  coupon: CouponValue,
  lines: readonly DiscountableLine[],
): CouponDiscount | Extract<CouponRefusal, 'other_course' | 'nothing_to_pay' | 'too_small'> {
  const weights = lines.map((line) =>
    coupon.courseId === null || coupon.courseId === line.courseId ? line.priceCents : 0,
  );
  const eligibleCents = weights.reduce((total, weight) => total + weight, 0);
  const subtotalCents = lines.reduce((total, line) => total + line.priceCents, 0);
  if (subtotalCents === 0) return 'nothing_to_pay';
  if (eligibleCents === 0) return 'other_course';
  const worthCents =
    coupon.kind === 'percent'
      ? Math.floor((eligibleCents * coupon.percentOff + 50) / 100)
      : Math.min(coupon.amountOffCents, eligibleCents);
  const leftCents = subtotalCents - worthCents;
  const reduced = leftCents > 0 && leftCents < CHARGE_MIN_CENTS;
  const discountCents = reduced ? Math.max(0, subtotalCents - CHARGE_MIN_CENTS) : worthCents;
  if (discountCents === 0) return 'too_small';
  return { discountCents, shares: splitByWeight(discountCents, weights), reduced };
}
