import { confirmPayment } from '#src/features/store/confirm.server.ts';
import { confirmPaymentCall } from '#src/features/store/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  confirmPaymentCall,
  { access: 'user', limit: { name: 'confirm-payment', points: 120, seconds: 60, by: 'user' } },
  ({ user, input }) => confirmPayment(user, input.paymentIntentId),
);
