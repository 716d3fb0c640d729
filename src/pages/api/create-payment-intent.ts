import { startCheckout } from '#src/features/store/checkout.server.ts';
import { createPaymentIntentCall } from '#src/features/store/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';
import { consume } from '#src/server/rate-limit.ts';

/** Tighter than the checkout itself, because a code is something to guess. */
const COUPON_LIMIT = { name: 'checkout-coupon', points: 60, seconds: 600 };

export const POST = endpoint(
  createPaymentIntentCall,
  { access: 'user', limit: { name: 'checkout', points: 60, seconds: 60, by: 'user' } },
  async ({ user, input: { amount: amountCents, couponCode } }) => {
    if (couponCode) await consume(COUPON_LIMIT, `user:${user.id}`);
    return startCheckout(user, { amountCents, couponCode });
  },
);
