import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { couponDiscount } from '#src/features/store/coupons/coupons.ts';
import { bundlePath, bundleShares, buyBundlePath, lineTitle, notOffered } from './bundles.ts';

const bundleOf = (priceCents: number, ...prices: number[]) => ({
  priceCents,
  state: 'active' as const,
  courses: prices.map((cents) => ({ priceCents: cents, listed: true })),
});
const sum = (cents: readonly number[]) => cents.reduce((total, one) => total + one, 0);

describe('the price of a bundle', () => {
  it('is split over its courses by what they cost singly, every cent placed', () => {
    expect(bundleShares(bundleOf(5900, 2900, 2900, 2900))).toEqual([1967, 1967, 1966]);
    expect(bundleShares(bundleOf(100, 4900, 0, 100))).toEqual([98, 0, 2]);
  });

  it('with a coupon or without, all subsets of refunds for up to six courses leave the rest to the cent', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 99_999_999 }), { minLength: 2, maxLength: 6 }),
        fc.integer({ min: 1, max: 99 }),
        fc.integer({ min: 1, max: 100 }),
        (prices, part, percentOff) => {
          const priceCents = Math.floor((sum(prices) * part) / 100);
          fc.pre(priceCents >= 50 && priceCents < sum(prices));
          const shares = bundleShares(bundleOf(priceCents, ...prices))!;
          expect(sum(shares)).toBe(priceCents);
          shares.forEach((share, index) => {
            expect(share).toBeGreaterThanOrEqual(0);
            expect(share).toBeLessThanOrEqual(prices[index]!);
          });
          const lines = shares.map((cents, courseId) => ({ courseId, priceCents: cents }));
          const coupon = couponDiscount({ kind: 'percent', percentOff, courseId: null }, lines);
          const off = typeof coupon === 'string' ? lines.map(() => 0) : coupon.shares;
          const paid = shares.map((share, index) => share - off[index]!);
          const total = priceCents - (typeof coupon === 'string' ? 0 : coupon.discountCents);
          for (let subset = 0; subset < 2 ** paid.length; subset += 1) {
            const back = paid.filter((_, index) => subset & (1 << index));
            const kept = paid.filter((_, index) => !(subset & (1 << index)));
            expect(sum(back) + sum(kept)).toBe(total);
            for (const cents of paid) expect(cents).toBeGreaterThanOrEqual(0);
          }
        },
      ),
    );
  });

  it('is offered only while it is below what its courses cost singly, and all of them are for sale', () => {
    expect(notOffered(bundleOf(4899, 2450, 2450))).toBeNull();
    expect(notOffered(bundleOf(4900, 2450, 2450))).toBe('Costs no less than its courses singly');
    expect(notOffered(bundleOf(50, 4900))).toBe('Has too few courses');
    expect(notOffered({ ...bundleOf(50, 4900, 100), state: 'hidden' })).toBe('Hidden');
    const gone = bundleOf(50, 4900, 100);
    gone.courses[1]!.listed = false;
    expect(notOffered(gone)).toBe('Has a course that is not for sale');
    expect(bundleShares(gone)).toBeNull();
  });
});

describe('a bundle on paper and in addresses', () => {
  it('is named beside its course, which stands alone where it was bought alone', () => {
    expect(lineTitle({ title: 'Linux', bundleTitle: 'Servers' })).toBe('Linux (bundle “Servers”)');
    expect(lineTitle({ title: 'Linux', bundleTitle: null })).toBe('Linux');
  });

  it('is shown at one address and bought at another', () => {
    expect([bundlePath(7), buyBundlePath(7)]).toEqual(['/bundles/7', '/buy/bundle-7']);
  });
});
