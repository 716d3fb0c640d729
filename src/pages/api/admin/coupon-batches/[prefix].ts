import { setCouponBatchActive } from '#src/features/store/coupons/coupons.server.ts';
import { setCouponBatchActiveCall } from '#src/features/store/coupons/editing/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const PUT = endpoint(setCouponBatchActiveCall, { access: 'admin' }, ({ actor, params, input }) =>
  setCouponBatchActive(actor, params.prefix, input.isActive),
);
