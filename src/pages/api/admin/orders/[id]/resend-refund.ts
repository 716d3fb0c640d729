import { resendOrderRefund } from '#src/features/admin/orders/orders.server.ts';
import { resendRefundCall } from '#src/features/admin/orders/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(resendRefundCall, { access: 'admin' }, ({ user, params, input }) =>
  resendOrderRefund({ id: user.id, name: user.username }, params.id, input.refundId),
);
