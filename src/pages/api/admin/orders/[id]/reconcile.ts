import { reconcileOrder } from '#src/features/admin/orders/order-actions.server.ts';
import { reconcileOrderCall } from '#src/features/admin/orders/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(reconcileOrderCall, { access: 'admin' }, ({ actor, params }) =>
  reconcileOrder(actor, params.id),
);
