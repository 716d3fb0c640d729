import { refundOrderLine } from '#src/features/admin/orders/orders.server.ts';
import { refundLineCall } from '#src/features/admin/orders/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(refundLineCall, { access: 'admin' }, ({ actor, params, input }) =>
  refundOrderLine(actor, params.id, input),
);
