import { createSeatPaymentCall } from '#src/features/organisations/schema.ts';
import { startSeatCheckout } from '#src/features/organisations/orders/organisation-orders.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  createSeatPaymentCall,
  { access: 'user', limit: 'checkout' },
  ({ user, params, input: { amount: amountCents, ...wanted } }) =>
    startSeatCheckout(user, params.id, { ...wanted, amountCents }),
);
