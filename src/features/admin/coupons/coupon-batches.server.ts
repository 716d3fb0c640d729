import { toCsv } from '#src/server/csv.ts';
import { couponsOfBatch } from '#src/features/store/coupons/coupons.server.ts';
import { COUPON_STATES } from './coupons.ts';

/** CSV; null without such a batch. */
export async function couponBatchCsv(prefix: string): Promise<string | null> {
  const coupons = await couponsOfBatch(prefix);
  if (coupons.length === 0) return null;
  return toCsv(
    ['Code', 'Takes off', 'Course', 'Last moment', 'Orders in all', 'Used', 'State'],
    coupons.map((coupon) => [
      coupon.code,
      coupon.kind === 'percent' ? `${coupon.percentOff}%` : `${coupon.amountOff} USD`,
      coupon.course?.title ?? 'Every course',
      coupon.expiresAt ?? '',
      coupon.usageLimit ?? '',
      coupon.used,
      COUPON_STATES[coupon.state].label,
    ]),
  );
}
