import { z } from 'zod';
import { contract } from '#src/shared/contract.ts';
import { line } from '#src/shared/fields.ts';
import { normaliseCouponCode } from '#src/features/store/coupons/coupons.ts';
import { thing, onlyOne } from '#src/features/store/cart/schema.ts';

/** Characters of a coupon code. */
export const COUPON_CODE_MIN = 3;

export const COUPON_CODE_MAX = 40;

/** A code as buyers type it; any text of a fitting length may be asked for. */
export const couponCode = line('Coupon code', { max: COUPON_CODE_MAX * 2 }).transform(normaliseCouponCode);

/**
 * `POST /api/apply-coupon`: what a coupon does to the caller's cart, or to one course. It is only looked at here: the
 * order takes it. Refusals have the reason in `coupon` and the text in `fields.couponCode`.
 */
export const applyCouponCall = contract({
  method: 'POST',
  path: '/api/apply-coupon',
  input: z.object({ code: couponCode, ...thing }).superRefine((input, context) => {
    if (input.courseId !== undefined) onlyOne(input, context);
  }),
  output: z.object({
    code: z.string(),
    /** Decimal strings of US dollars. */
    discount: z.string(),
    total: z.string(),
    /** It took off less than it is worth; see `CouponDiscount`. */
    reduced: z.boolean(),
  }),
});

export type AppliedCoupon = z.output<typeof applyCouponCall.output>;
