import { createCoupon, listCoupons } from '#src/features/store/coupons/coupons.server.ts';
import { createCouponCall, listCouponsCall } from '#src/features/store/coupons/editing/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const GET = endpoint(listCouponsCall, { access: 'admin' }, () => listCoupons());

export const POST = endpoint(createCouponCall, { access: 'admin' }, ({ actor, input, status }) => {
  status(201);
  return createCoupon(actor, input);
});
