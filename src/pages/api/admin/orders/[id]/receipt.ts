import { resendReceipt } from '#src/features/admin/orders/order-actions.server.ts';
import { resendReceiptCall } from '#src/features/admin/orders/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(resendReceiptCall, { access: 'admin' }, ({ actor, params }) =>
  resendReceipt(actor, params.id),
);
