import { z } from 'zod';
import { contract } from '#src/shared/contract.ts';
import { PRICE_MAX_CENTS } from '#src/shared/money.ts';
import { dollars, id, idInPath, line } from '#src/shared/fields.ts';
import { COUPON_CODE_MIN, COUPON_CODE_MAX } from '#src/features/store/coupons/schema.ts';

/** Decision 22; amounts are decimal strings of US dollars. */
export const couponModel = z.object({
  id: z.number(),
  code: z.string(),
  kind: z.enum(['percent', 'fixed']),
  percentOff: z.number().nullable(),
  amountOff: z.string().nullable(),
  course: z.object({ id: z.number(), title: z.string() }).nullable(),
  expiresAt: z.string().nullable(),
  usageLimit: z.number().nullable(),
  used: z.number(),
  reserved: z.number(),
  discountGiven: z.string(),
  isActive: z.boolean(),
  state: z.enum(['active', 'disabled', 'expired', 'used_up']),
  batch: z.string().nullable(),
  createdAt: z.string(),
  createdBy: z.string().nullable(),
});

export type Coupon = z.output<typeof couponModel>;

export const listCouponsCall = contract({
  method: 'GET',
  path: '/api/admin/coupons',
  output: z.array(couponModel),
});

const codeText = (name: string, max: number) =>
  line(name, { max })
    .transform((code) => code.replace(/\p{Cf}/gu, '').toUpperCase())
    .refine(
      (code) => new RegExp(`^[A-Z0-9][A-Z0-9_-]{${COUPON_CODE_MIN - 1},${max - 1}}$`).test(code),
      `${name} must have ${COUPON_CODE_MIN} to ${max} letters, digits, hyphens or underscores`,
    );

const usageLimit = z
  .number({ error: 'Usage limit must be a whole number' })
  .int('Usage limit must be a whole number')
  .min(1, 'Usage limit must be at least 1')
  .max(1_000_000, 'Usage limit must be at most 1,000,000')
  .nullish();

const couponRule = {
  courseId: id('Course').nullish(),
  /** ISO 8601; null or absent for never. */
  expiresAt: z.iso
    .datetime({ offset: true, error: 'Expiry must be a date and time' })
    .refine((value) => Date.parse(value) > Date.now(), 'Expiry must be in the future')
    .nullish(),
  usageLimit,
};

const WRONG_PERCENT = 'Percent must be a whole number from 1 to 100';

const WRONG_AMOUNT_OFF = 'Amount must be dollars and cents, from 0.01 to 999999.99';

const percentOff = z
  .number({ error: WRONG_PERCENT })
  .int(WRONG_PERCENT)
  .min(1, WRONG_PERCENT)
  .max(100, WRONG_PERCENT);

const amountOff = dollars(WRONG_AMOUNT_OFF, WRONG_AMOUNT_OFF, 1, PRICE_MAX_CENTS);

const couponInput = <Fields extends z.ZodRawShape>(fields: Fields) =>
  z.discriminatedUnion(
    'kind',
    [
      z.object({ kind: z.literal('percent'), ...couponRule, ...fields, percentOff }),
      z.object({ kind: z.literal('fixed'), ...couponRule, ...fields, amountOff }),
    ],
    { error: 'Kind must be percent or fixed' },
  );

/** Each buyer can use a coupon once. */
export const createCouponCall = contract({
  method: 'POST',
  path: '/api/admin/coupons',
  input: couponInput({ code: codeText('Code', COUPON_CODE_MAX) }),
  output: couponModel,
});

export type NewCoupon = z.output<NonNullable<typeof createCouponCall.input>>;

export const BATCH_PREFIX_MAX = 20;

export const BATCH_MAX = 1000;

const WRONG_NUMBER = `Number of codes must be a whole number from 1 to ${BATCH_MAX.toLocaleString('en-US')}`;

export const couponBatchModel = z.object({
  prefix: z.string(),
  codes: z.number(),
  switchedOn: z.number(),
});

/** All or none, each code random. */
export const createCouponBatchCall = contract({
  method: 'POST',
  path: '/api/admin/coupon-batches',
  input: couponInput({
    prefix: codeText('Prefix', BATCH_PREFIX_MAX),
    number: z
      .number({ error: WRONG_NUMBER })
      .int(WRONG_NUMBER)
      .min(1, WRONG_NUMBER)
      .max(BATCH_MAX, WRONG_NUMBER),
    /** Absent is one, as in the form; null for any number. */
    usageLimit: usageLimit.default(1),
  }),
  output: couponBatchModel,
});

export type NewCouponBatch = z.output<NonNullable<typeof createCouponBatchCall.input>>;

export const setCouponBatchActiveCall = contract({
  method: 'PUT',
  path: '/api/admin/coupon-batches/{prefix}',
  params: z.object({ prefix: codeText('Prefix', BATCH_PREFIX_MAX) }),
  input: z.object({ isActive: z.boolean({ error: 'isActive must be true or false' }) }),
  output: couponBatchModel,
});

export const setCouponActiveCall = contract({
  method: 'PUT',
  path: '/api/admin/coupons/{id}',
  params: z.object({ id: idInPath('Coupon') }),
  input: z.object({ isActive: z.boolean({ error: 'isActive must be true or false' }) }),
  output: couponModel,
});
