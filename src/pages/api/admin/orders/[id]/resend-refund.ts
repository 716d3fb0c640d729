import { resendOrderRefund } from '#src/features/admin/orders.server.ts';
import { resendRefundCall } from '#src/features/admin/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(resendRefundCall, { access: 'admin' }, ({ user, params, input }) =>
  resendOrderRefund({ id: user.id, name: user.username }, params.id, input.refundId),
);
