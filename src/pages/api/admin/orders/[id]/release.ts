import { releaseOrderCall } from '#src/features/admin/orders/schema.ts';
import { releaseBankOrder } from '#src/features/store/bank/bank-orders.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(releaseOrderCall, { access: 'admin' }, ({ actor, params }) =>
  releaseBankOrder(actor, params.id),
);
