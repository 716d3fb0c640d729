import { closeBankOrder } from '#src/features/admin/orders/order-actions.server.ts';
import { cancelBankOrderCall } from '#src/features/admin/orders/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(cancelBankOrderCall, { access: 'admin' }, ({ actor, params, input }) =>
  closeBankOrder(actor, params.id, input.reason),
);
