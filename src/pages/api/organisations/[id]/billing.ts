import { setBillingCall } from '#src/features/organisations/schema.ts';
import { setBilling } from '#src/features/organisations/orders/organisation-orders.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const PUT = endpoint(setBillingCall, { access: 'user' }, async ({ user, params, input }) => {
  await setBilling(user, params.id, input);
  return { message: 'The next invoices name this company.' };
});
