import { centsOf, centsToDecimal, decimalToCents } from '#src/shared/money.ts';

/** Spec 9. */
export const TAX_CENTS = 0;

/** Fault P45. */
export const CART_LINES_MAX = 50;

export type CourseState = 'signed-out' | 'none' | 'in-cart' | 'enrolled';

type PricedCourse = { price: string; originalPrice: string | null };

/** `unavailable` lines stay visible but are not sold (decision 24). */
type CartLineLike = {
  courseId: number;
  unavailable: 'hidden' | 'owned' | 'later' | null;
  course: PricedCourse;
};

export type Totals = {
  subtotalCents: number;
  /** Against the original prices; shown only above 0. */
  discountCents: number;
  taxCents: number;
  totalCents: number;
};

/** Amounts in cents (spec 9): prices are discounted already, so the total is the subtotal. */
export function totalsOf(
  lines: readonly { priceCents: number; originalPriceCents: number | null }[],
): Totals {
  let subtotalCents = 0;
  let savedCents = 0;
  for (const { priceCents, originalPriceCents } of lines) {
    subtotalCents += priceCents;
    // A price above the original must not reduce the savings of other lines (fault N9).
    if (originalPriceCents !== null) savedCents += Math.max(0, originalPriceCents - priceCents);
  }
  return {
    subtotalCents,
    discountCents: savedCents,
    taxCents: TAX_CENTS,
    totalCents: subtotalCents + TAX_CENTS,
  };
}

/** A coupon comes off the subtotal (decision 22). @param coupon in cents, at most the subtotal */
export function withCoupon(totals: Totals, coupon: { discountCents: number } | null): Totals {
  if (!coupon) return totals;
  return { ...totals, totalCents: totals.subtotalCents - coupon.discountCents + totals.taxCents };
}

export function couponOf(
  applied: { code: string; discount: string } | null,
): { code: string; discountCents: number } | null {
  return applied && { code: applied.code, discountCents: centsOf(applied.discount) };
}

export function cartTotals(lines: readonly CartLineLike[]): Totals {
  return totalsOf(
    lines
      .filter((line) => line.unavailable === null)
      .map(({ course }) => ({
        priceCents: centsOf(course.price),
        originalPriceCents: course.originalPrice === null ? null : centsOf(course.originalPrice),
      })),
  );
}

export function cartRows<Line extends Bundled>(lines: readonly Line[]): Line[][] {
  return [...Map.groupBy(lines, (line) => (line.bundle ? -line.bundle.id : line.courseId)).values()];
}

type Bundled = { courseId: number; bundle?: { id: number } | null };

export function removeFromCart<Line extends Bundled>(
  lines: readonly Line[],
  courseId: number,
): readonly Line[] {
  const gone = lines.find((line) => line.courseId === courseId);
  if (!gone) return lines;
  return lines.filter((line) => line !== gone && !(gone.bundle && line.bundle?.id === gone.bundle.id));
}

/** In cents; accepts floating-point sums, null for anything that is no amount (fault P15). */
export function amountToCents(amount: number | string): number | null {
  if (typeof amount === 'string') return decimalToCents(amount.trim());
  if (!Number.isFinite(amount) || amount < 0 || amount > Number.MAX_SAFE_INTEGER / 100) return null;
  const cents = Math.round(amount * 100);
  return Math.abs(amount * 100 - cents) < 1e-4 ? cents : null;
}

export function amountOf(totals: Totals): number {
  return Number(centsToDecimal(totals.totalCents));
}
