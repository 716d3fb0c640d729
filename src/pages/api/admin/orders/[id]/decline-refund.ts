import { declineRefund } from '#src/features/admin/orders/order-actions.server.ts';
import { declineRefundCall } from '#src/features/admin/orders/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(declineRefundCall, { access: 'admin' }, ({ actor, params, input }) =>
  declineRefund(actor, params.id, input.reason),
);
