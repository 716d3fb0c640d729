import { cancelOrderCall } from '#src/features/organisations/schema.ts';
import { cancelOrder } from '#src/features/organisations/orders/organisation-orders.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(cancelOrderCall, { access: 'user' }, ({ user, params }) =>
  cancelOrder(user, params.id, params.order),
);
