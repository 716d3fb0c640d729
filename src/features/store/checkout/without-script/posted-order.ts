import { couponInAddress } from '#src/features/store/coupons/coupon-address.ts';
import { applyCouponCall } from '#src/features/store/coupons/schema.ts';
import { createPaymentIntentCall } from '#src/features/store/checkout/schema.ts';
import type { ErrorBody } from '#src/shared/errors.ts';
import type { PostedOrder } from '#src/features/store/checkout/payment.ts';

export function postedOrder({
  typed,
  answer,
  refusal,
}: {
  typed: Record<string, string>;
  answer: unknown;
  refusal: { message: string; fields: ErrorBody['fields'] } | null;
}): PostedOrder {
  const nothing = { notices: [], coupon: null, couponProblem: '', typedCode: '' };
  if (!refusal) return { ...nothing, coupon: applyCouponCall.output.parse(answer) };
  const isAboutCoupon = typed.wish !== 'enroll' || Boolean(refusal.fields?.couponCode);
  return isAboutCoupon
    ? { ...nothing, couponProblem: refusal.message, typedCode: typed.couponCode ?? '' }
    : { ...nothing, notices: [refusal.message] };
}

export const paidPath = (answer: unknown): string =>
  `/dashboard?order=${createPaymentIntentCall.output.parse(answer).orderId}`;

export function wantedCoupon(posted: PostedOrder | null, address: URL): string | null {
  return posted?.coupon?.code ?? couponInAddress(address);
}
