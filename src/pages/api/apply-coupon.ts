import { quoteCartCoupon } from '#src/features/store/checkout/checkout.server.ts';
import { quoteCourseCoupon } from '#src/features/store/checkout/direct/direct-checkout.server.ts';
import { readClaimCookie } from '#src/features/store/guests/guests.server.ts';
import { applyCouponCall } from '#src/features/store/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  applyCouponCall,
  { access: 'public', limit: 'apply-coupon' },
  ({ user, input: { code, courseId }, cookies }) =>
    courseId === undefined
      ? quoteCartCoupon(user, code)
      : quoteCourseCoupon(courseId, code, user, readClaimCookie(cookies) ?? ''),
);
