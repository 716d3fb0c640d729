import { settleFlag } from '#src/features/admin/orders/order-actions.server.ts';
import { settleFlagCall } from '#src/features/admin/orders/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(settleFlagCall, { access: 'admin' }, ({ actor, params, input }) =>
  settleFlag(actor, params.id, input),
);
