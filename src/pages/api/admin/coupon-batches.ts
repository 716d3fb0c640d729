import { createCouponBatch } from '#src/features/store/coupons/coupons.server.ts';
import { createCouponBatchCall } from '#src/features/store/coupons/editing/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(createCouponBatchCall, { access: 'admin' }, ({ actor, input, status }) => {
  status(201);
  return createCouponBatch(actor, input);
});
