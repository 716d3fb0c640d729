import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CHARGE_MIN_CENTS,
  type CouponValue,
  couponDiscount,
  normaliseCouponCode,
  splitByWeight,
} from './coupons.ts';

const price = fc.oneof(fc.constant(0), fc.integer({ min: 50, max: 99_999_999 }));
const lines = fc
  .array(price, { minLength: 1, maxLength: 50 })
  .map((prices) => prices.map((priceCents, index) => ({ courseId: index + 1, priceCents })));
const coupon: fc.Arbitrary<CouponValue> = fc.oneof(
  fc.record({
    kind: fc.constant('percent' as const),
    percentOff: fc.integer({ min: 1, max: 100 }),
    courseId: fc.option(fc.integer({ min: 1, max: 50 })),
  }),
  fc.record({
    kind: fc.constant('fixed' as const),
    amountOffCents: fc.integer({ min: 1, max: 99_999_999 }),
    courseId: fc.option(fc.integer({ min: 1, max: 50 })),
  }),
);
const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

describe('the split of an amount', () => {
  it('adds up to the cent, fits into every weight, and is within a cent of the exact share', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 99_999_999 }), { minLength: 1, maxLength: 50 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (weights, part) => {
          const total = sum(weights);
          const amount = Math.floor(total * part);
          const shares = splitByWeight(amount, weights);
          expect(sum(shares)).toBe(amount);
          shares.forEach((share, index) => {
            expect(Number.isInteger(share)).toBe(true);
            expect(share).toBeGreaterThanOrEqual(0);
            expect(share).toBeLessThanOrEqual(weights[index]!);
            if (total > 0) expect(Math.abs(share - (amount / total) * weights[index]!)).toBeLessThan(1.01);
          });
        },
      ),
    );
  });

  it('gives the odd cents to the largest remainders, the earlier of equals first', () => {
    expect(splitByWeight(100, [4900, 4900, 4900])).toEqual([34, 33, 33]);
    expect(splitByWeight(1000, [1999, 4900, 0])).toEqual([290, 710, 0]);
    expect(splitByWeight(0, [0, 0])).toEqual([0, 0]);
    expect(splitByWeight(4, [2, 2])).toEqual([2, 2]);
    expect(() => splitByWeight(5, [2, 2])).toThrow(new RangeError('5 cents do not fit into 4'));
  });
});

describe('what a coupon takes off', () => {
  it('leaves nothing or what a card can be charged, and never touches what it does not apply to', () => {
    fc.assert(
      fc.property(coupon, lines, (value, order) => {
        const result = couponDiscount(value, order);
        if (typeof result === 'string') {
          const paid = order.filter((line) => line.priceCents > 0);
          const applies = paid.some((line) => value.courseId === null || line.courseId === value.courseId);
          expect(result === 'nothing_to_pay').toBe(paid.length === 0);
          expect(result === 'other_course').toBe(paid.length > 0 && !applies);
          return;
        }
        const { discountCents, shares, reduced } = result;
        const subtotal = sum(order.map((line) => line.priceCents));
        const left = subtotal - discountCents;
        expect(left === 0 || left >= CHARGE_MIN_CENTS).toBe(true);
        expect(discountCents).toBeGreaterThan(0);
        expect(sum(shares)).toBe(discountCents);
        const eligible = order.filter((line) => value.courseId === null || line.courseId === value.courseId);
        const eligibleCents = sum(eligible.map((line) => line.priceCents));
        const worth =
          value.kind === 'fixed'
            ? Math.min(value.amountOffCents, eligibleCents)
            : Math.round((eligibleCents * value.percentOff) / 100);
        expect(discountCents).toBe(reduced ? subtotal - CHARGE_MIN_CENTS : worth);
        order.forEach((line, index) => {
          expect(shares[index]).toBeLessThanOrEqual(line.priceCents);
          if (!eligible.includes(line)) expect(shares[index]).toBe(0);
        });
      }),
    );
  });

  const order = [
    { courseId: 1, priceCents: 1999 },
    { courseId: 2, priceCents: 4900 },
  ];
  it.each([
    ['ten percent of everything', { kind: 'percent', percentOff: 10, courseId: null }, 690, [200, 490]],
    ['ten percent of one course', { kind: 'percent', percentOff: 10, courseId: 2 }, 490, [0, 490]],
    ['a fixed amount', { kind: 'fixed', amountOffCents: 1000, courseId: null }, 1000, [290, 710]],
    ['more than one course costs', { kind: 'fixed', amountOffCents: 5000, courseId: 1 }, 1999, [1999, 0]],
    ['all of it', { kind: 'percent', percentOff: 100, courseId: null }, 6899, [1999, 4900]],
  ] as const)('takes off %s', (_, value, discountCents, shares) => {
    expect(couponDiscount(value, order)).toEqual({ discountCents, shares, reduced: false });
  });

  it('takes off less where a card could not be charged the rest', () => {
    const cheap = [{ courseId: 1, priceCents: 1900 }];
    expect(couponDiscount({ kind: 'percent', percentOff: 99, courseId: null }, cheap)).toEqual({
      discountCents: 1850,
      shares: [1850],
      reduced: true,
    });
    expect(couponDiscount({ kind: 'fixed', amountOffCents: 1850, courseId: null }, cheap)).toMatchObject({
      reduced: false,
    });
  });

  it('says why it takes nothing off', () => {
    const value = { kind: 'fixed', amountOffCents: 1, courseId: 9 } as const;
    expect(couponDiscount(value, order)).toBe('other_course');
    expect(couponDiscount({ ...value, courseId: null }, [{ courseId: 1, priceCents: 0 }])).toBe(
      'nothing_to_pay',
    );
    expect(couponDiscount({ ...value, courseId: null }, [{ courseId: 1, priceCents: 50 }])).toBe('too_small');
  });
});

it('reads codes in any case and with spaces', () => {
  expect(normaliseCouponCode(' spring 10 ')).toBe('SPRING10');
  expect(normaliseCouponCode('\u200bspring\ufeff-10\u00ad')).toBe('SPRING-10');
});
