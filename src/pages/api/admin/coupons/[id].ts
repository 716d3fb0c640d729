import { setCouponActive } from '#src/features/store/coupons/coupons.server.ts';
import { setCouponActiveCall } from '#src/features/store/coupons/editing/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const PUT = endpoint(setCouponActiveCall, { access: 'admin' }, ({ actor, params, input }) =>
  setCouponActive(actor, params.id, input.isActive),
);
