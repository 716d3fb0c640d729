import { listOrders } from '#src/features/store/orders/orders.server.ts';
import { listOrdersCall } from '#src/features/store/orders/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const GET = endpoint(listOrdersCall, { access: 'user' }, ({ user }) => listOrders(user.id));
