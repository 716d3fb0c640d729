import { orderVisitor } from '#src/features/store/orders/order-access.server.ts';
import { askRefund } from '#src/features/store/refunds/refund-request.server.ts';
import { askRefundCall } from '#src/features/store/orders/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  askRefundCall,
  { access: 'public', limit: 'checkout' },
  ({ user, params, input, cookies, request }) =>
    askRefund(
      orderVisitor({ url: new URL(request.url), locals: { user }, cookies }),
      params.id,
      input.reason,
    ),
);
