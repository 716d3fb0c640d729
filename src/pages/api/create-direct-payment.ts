import { startDirectCheckout } from '#src/features/store/checkout/direct/direct-checkout.server.ts';
import { keepClaimCookie } from '#src/features/store/guests/guests.server.ts';
import { createDirectPaymentCall } from '#src/features/store/checkout/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';
import { consume } from '#src/server/limits/rate-limit.ts';

export const POST = endpoint(
  createDirectPaymentCall,
  { access: 'public', limit: 'direct-checkout' },
  async ({ user, ip, input, cookies }) => {
    const { courseId, bundleId, amount: amountCents, couponCode, buyer } = input;
    if (couponCode) await consume('apply-coupon', user ? `user:${user.id}` : `ip:${ip}`);
    const offer = { courseId, bundleId, amountCents, couponCode };
    return startDirectCheckout(offer, user, user ? '' : keepClaimCookie(cookies), buyer);
  },
);
