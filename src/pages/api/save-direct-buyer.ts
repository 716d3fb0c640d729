import { saveBuyer } from '#src/features/store/checkout/direct/direct-checkout.server.ts';
import { readClaimCookie } from '#src/features/store/guests/guests.server.ts';
import { saveDirectBuyerCall } from '#src/features/store/checkout/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  saveDirectBuyerCall,
  { access: 'public', limit: 'save-direct-buyer' },
  ({ user, input: { paymentIntentId, clientSecret, ...buyer }, cookies }) =>
    saveBuyer(
      buyer,
      { intentId: paymentIntentId, clientSecret, claimSecret: readClaimCookie(cookies) },
      user,
    ),
);
