import { quoteCartCoupon } from '#src/features/store/checkout/checkout.server.ts';
import { quoteDirectCoupon } from '#src/features/store/checkout/direct/direct-checkout.server.ts';
import { readClaimCookie } from '#src/features/store/guests/guests.server.ts';
import { applyCouponCall } from '#src/features/store/coupons/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  applyCouponCall,
  { access: 'public', limit: 'apply-coupon' },
  ({ user, input: { code, ...thing }, cookies }) =>
    thing.courseId === undefined && thing.bundleId === undefined
      ? quoteCartCoupon(user, code)
      : quoteDirectCoupon(thing, code, user, readClaimCookie(cookies) ?? ''),
);
