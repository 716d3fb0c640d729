import { startDirectCheckout } from '#src/features/store/direct-checkout.server.ts';
import { keepClaimCookie } from '#src/features/store/guests.server.ts';
import { createDirectPaymentCall } from '#src/features/store/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  createDirectPaymentCall,
  { access: 'public', limit: 'direct-checkout' },
  ({ user, input, cookies }) => {
    const { courseId, amount: amountCents, couponCode, buyer } = input;
    const offer = { courseId, amountCents, couponCode };
    return startDirectCheckout(offer, user, user ? '' : keepClaimCookie(cookies), buyer);
  },
);
