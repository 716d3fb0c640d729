import { confirmPayment } from '#src/features/store/checkout/confirm.server.ts';
import { confirmPaymentCall } from '#src/features/store/checkout/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  confirmPaymentCall,
  { access: 'user', limit: 'confirm-payment' },
  ({ user, input }) => confirmPayment(user, input.paymentIntentId),
);
