import { saveConsentsCall } from '#src/features/store/schema.ts';
import { saveConsents } from '#src/features/store/orders/unpaid-order.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  saveConsentsCall,
  { access: 'user', limit: 'checkout' },
  ({ user, input: { paymentIntentId, consents } }) => saveConsents(consents, paymentIntentId, user),
);
