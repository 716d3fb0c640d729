import { refundOrderLine } from '#src/features/admin/orders/order-actions.server.ts';
import { refundLineCall } from '#src/features/admin/orders/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(refundLineCall, { access: 'admin' }, ({ actor, params, input }) =>
  refundOrderLine(actor, params.id, input),
);
