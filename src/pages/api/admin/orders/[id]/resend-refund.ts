import { resendOrderRefund } from '#src/features/admin/orders/order-actions.server.ts';
import { resendRefundCall } from '#src/features/admin/orders/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(resendRefundCall, { access: 'admin' }, ({ actor, params, input }) =>
  resendOrderRefund(actor, params.id, input.refundId),
);
