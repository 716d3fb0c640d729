import { z } from 'zod';
import { contract } from '#src/shared/contract.ts';
import { line } from '#src/shared/fields.ts';
import { normaliseCouponCode } from '#src/features/store/coupons/coupons.ts';
import { thing, onlyOne } from '#src/features/store/cart/schema.ts';

export const COUPON_CODE_MIN = 3;

export const COUPON_CODE_MAX = 40;

export const couponCode = line('Coupon code', { max: COUPON_CODE_MAX * 2 }).transform(normaliseCouponCode);

/**
 * Looks only; the order takes the coupon. Refusals have the reason in `coupon` and the text in `fields.couponCode`.
 */
export const applyCouponCall = contract({
  method: 'POST',
  path: '/api/apply-coupon',
  input: z.object({ code: couponCode, ...thing }).superRefine((input, context) => {
    if (input.courseId !== undefined) onlyOne(input, context);
  }),
  output: z.object({
    code: z.string(),
    discount: z.string(),
    total: z.string(),
    reduced: z.boolean(),
  }),
});

export type AppliedCoupon = z.output<typeof applyCouponCall.output>;
