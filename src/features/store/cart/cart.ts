import { centsOf, centsToDecimal, decimalToCents } from '#src/shared/money.ts';

/** The tax on everything (spec 9). */
export const TAX_CENTS = 0;

/** Courses that a cart holds at most (fault P45). */
export const CART_LINES_MAX = 50;

/** What a course is to a visitor (spec 2, course detail). */
export type CourseState = 'signed-out' | 'none' | 'in-cart' | 'enrolled';

/** What the totals need to know of a line: decimal strings, as prices travel. */
export type PricedCourse = { price: string; originalPrice: string | null };

/** A line as far as the rules below are concerned. `unavailable` lines stay visible but are not sold (decision 24). */
export type CartLineLike = {
  courseId: number;
  unavailable: 'hidden' | 'owned' | null;
  course: PricedCourse;
};

/** Amounts of a cart or order in cents. */
export type Totals = {
  subtotalCents: number;
  /** What is saved against the original prices; shown only above 0. */
  discountCents: number;
  taxCents: number;
  totalCents: number;
};

/** The totals of lines given in cents (spec 9): the price is the discounted one already, so the total is the subtotal. */
export function totalsOf(
  lines: readonly { priceCents: number; originalPriceCents: number | null }[],
): Totals {
  let subtotalCents = 0;
  let savedCents = 0;
  for (const { priceCents, originalPriceCents } of lines) {
    subtotalCents += priceCents;
    // An original price below the price is no saving, and must not eat up the savings of other lines (fault N9).
    if (originalPriceCents !== null) savedCents += Math.max(0, originalPriceCents - priceCents);
  }
  return {
    subtotalCents,
    discountCents: savedCents,
    taxCents: TAX_CENTS,
    totalCents: subtotalCents + TAX_CENTS,
  };
}

/**
 * The totals after a coupon, which comes off the subtotal (decision 22); as they are without one.
 *
 * @param coupon what it takes off, in cents, at most the subtotal
 */
export function withCoupon(totals: Totals, coupon: { discountCents: number } | null): Totals {
  if (!coupon) return totals;
  return { ...totals, totalCents: totals.subtotalCents - coupon.discountCents + totals.taxCents };
}

/** A coupon as it travels, in cents; null without one. */
export function couponOf(
  applied: { code: string; discount: string } | null,
): { code: string; discountCents: number } | null {
  return applied && { code: applied.code, discountCents: centsOf(applied.discount) };
}

/** The totals of the lines that can be bought. */
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

/** Lines as the buyer sees them: each by itself, those of a bundle together in the place of its first. */
export function cartRows<Line extends Bundled>(lines: readonly Line[]): Line[][] {
  return [...Map.groupBy(lines, (line) => (line.bundle ? -line.bundle.id : line.courseId)).values()];
}

type Bundled = { courseId: number; bundle?: { id: number } | null };

/** The cart without one course, and without the whole bundle that it is there with; the same list where it is not in it. */
export function removeFromCart<Line extends Bundled>(
  lines: readonly Line[],
  courseId: number,
): readonly Line[] {
  const gone = lines.find((line) => line.courseId === courseId);
  if (!gone) return lines;
  return lines.filter((line) => line !== gone && !(gone.bundle && line.bundle?.id === gone.bundle.id));
}

/**
 * The amount of money that a page sent as a number or a decimal string, in cents. A sum of prices made by a browser in
 * floating point is taken for the cent it means; anything that is no amount of dollars and cents gives null (fault P15).
 */
export function amountToCents(amount: number | string): number | null {
  if (typeof amount === 'string') return decimalToCents(amount.trim());
  if (!Number.isFinite(amount) || amount < 0 || amount > Number.MAX_SAFE_INTEGER / 100) return null;
  const cents = Math.round(amount * 100);
  return Math.abs(amount * 100 - cents) < 1e-4 ? cents : null;
}

/** 49 dollars → 49: the total as the number that `POST /api/create-payment-intent` takes. */
export function amountOf(totals: Totals): number {
  return Number(centsToDecimal(totals.totalCents));
}
