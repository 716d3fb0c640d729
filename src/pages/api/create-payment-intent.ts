import { startCheckout } from '#src/features/store/checkout.server.ts';
import { createPaymentIntentCall } from '#src/features/store/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  createPaymentIntentCall,
  { access: 'user', limit: { name: 'checkout', points: 60, seconds: 60, by: 'user' } },
  ({ user, input }) => startCheckout(user, input.amount),
);
