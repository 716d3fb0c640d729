import { formatCents } from '#src/shared/money.ts';

/** The smallest amount in cents that the card provider charges; below it there is only free (decision 23). */
export const CHARGE_MIN_CENTS = 50;

/** What a coupon takes off: a share of what it applies to, or a fixed amount in cents (decision 22). */
export type CouponValue =
  | { kind: 'percent'; percentOff: number; courseId: number | null }
  | { kind: 'fixed'; amountOffCents: number; courseId: number | null };

/** A line before any coupon, its price in cents. */
export type DiscountableLine = { courseId: number; priceCents: number };

/** What a coupon does to an order; amounts in cents. */
export type CouponDiscount = {
  discountCents: number;
  /** Each line's share of the discount, in the order of the lines. */
  shares: number[];
  /** The coupon is worth more than it took off, because a card cannot be charged less than the provider's minimum. */
  reduced: boolean;
};

/** Why a coupon cannot be used; the buyer reads the text. */
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

/** '  spring-10 ' → 'SPRING-10': codes are the same in any case, and without the invisible marks that copying brings. */
export function normaliseCouponCode(code: string): string {
  return code
    .normalize('NFKC')
    .replace(/[\s\p{Cf}]+/gu, '')
    .toUpperCase();
}

/**
 * Splits an amount over weights by largest remainder: whole cents that add up to exactly the amount, none above its
 * weight. Equal remainders go to the earlier weight, so that the result is the same every time.
 *
 * @param amountCents at most the sum of the weights
 */
export function splitByWeight(amountCents: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  if (amountCents > sum) throw new RangeError(`${amountCents} cents do not fit into ${sum}`);
  if (amountCents === 0) return weights.map(() => 0);
  // The product of two amounts can leave the range in which numbers are exact.
  const parts = weights.map((weight) => {
    const product = BigInt(amountCents) * BigInt(weight);
    return { share: Number(product / BigInt(sum)), remainder: product % BigInt(sum) };
  });
  let left = amountCents - parts.reduce((total, part) => total + part.share, 0);
  // Sorting leaves equals in their order.
  const byRemainder = parts.toSorted((a, b) => Number(b.remainder - a.remainder));
  for (const part of byRemainder) {
    if (left === 0) break;
    part.share += 1;
    left -= 1;
  }
  return parts.map((part) => part.share);
}

/**
 * What a coupon takes off these lines. A percentage is rounded half up to the cent. The total is left at 0 or at what a
 * card can be charged: where 0.01 to 0.49 would be left, the coupon takes off that much less.
 *
 * @returns why it takes nothing off, where it does not
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
