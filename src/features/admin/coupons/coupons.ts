import type { Tone } from '#src/components/surface.ts';
import { type Coupon, couponModel } from '#src/features/store/coupons/editing/schema.ts';

export const COUPON_STATES: Record<Coupon['state'], { label: string; tone: Tone }> = {
  active: { label: 'Active', tone: 'success' },
  disabled: { label: 'Switched off', tone: 'neutral' },
  expired: { label: 'Expired', tone: 'neutral' },
  used_up: { label: 'Used up', tone: 'warning' },
};

/** Null for all. */
export function parseCouponState(value: string | null): Coupon['state'] | null {
  return couponModel.shape.state.safeParse(value).data ?? null;
}
