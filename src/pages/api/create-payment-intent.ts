import { startCheckout } from '#src/features/store/checkout/checkout.server.ts';
import { createPaymentIntentCall } from '#src/features/store/checkout/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';
import { consume } from '#src/server/limits/rate-limit.ts';

export const POST = endpoint(
  createPaymentIntentCall,
  { access: 'user', limit: 'checkout' },
  async ({ user, input: { amount: amountCents, couponCode } }) => {
    if (couponCode) await consume('apply-coupon', `user:${user.id}`);
    return startCheckout(user, { amountCents, couponCode });
  },
);
