import { orderByInvoiceCall } from '#src/features/organisations/schema.ts';
import { orderSeatsByInvoice } from '#src/features/organisations/orders/organisation-orders.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  orderByInvoiceCall,
  { access: 'user', limit: 'checkout' },
  ({ user, params, input: { amount: amountCents, ...wanted } }) =>
    orderSeatsByInvoice(user, params.id, { ...wanted, amountCents }),
);
