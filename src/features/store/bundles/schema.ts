import { z } from 'zod';
import { courseModel } from '#src/features/catalogue/schema.ts';
import { contract } from '#src/shared/contract.ts';
import { PRICE_MAX_CENTS } from '#src/shared/money.ts';
import { dollars, id, idInPath, line, text } from '#src/shared/fields.ts';
import { BUNDLE_COURSES_MAX, BUNDLE_COURSES_MIN } from '#src/features/store/bundles/bundles.ts';
import { CHARGE_MIN_CENTS } from '#src/features/store/coupons/coupons.ts';

/** Decision 98; amounts are decimal strings of US dollars. */
const bundleModel = z.object({
  id: z.number(),
  title: z.string(),
  description: z.string(),
  price: z.string(),
  singly: z.string(),
  saving: z.string(),
  courses: z.array(
    courseModel.pick({ id: true, title: true, thumbnail: true, duration: true, level: true, price: true }),
  ),
});

export type StoreBundle = z.output<typeof bundleModel>;

export const getBundleCall = contract({
  method: 'GET',
  path: '/api/bundles/{id}',
  params: z.object({ id: idInPath('Bundle') }),
  output: bundleModel,
});

const adminBundleModel = bundleModel.extend({
  state: z.enum(['active', 'hidden']),
  notOffered: z.string().nullable(),
  orders: z.number(),
});

export type AdminBundle = z.output<typeof adminBundleModel>;

export const BUNDLE_TITLE_MAX = 120;

export const BUNDLE_DESCRIPTION_MAX = 2000;

const WRONG_BUNDLE_PRICE = 'Price must be dollars and cents, from 0.50 to 999999.99';

const WRONG_COURSES = `A bundle has ${BUNDLE_COURSES_MIN} to ${BUNDLE_COURSES_MAX} different courses`;

const bundleFields = z.object({
  title: line('Title', { max: BUNDLE_TITLE_MAX }),
  description: text('Description', { max: BUNDLE_DESCRIPTION_MAX }),
  price: dollars(WRONG_BUNDLE_PRICE, WRONG_BUNDLE_PRICE, CHARGE_MIN_CENTS, PRICE_MAX_CENTS),
  courseIds: z
    .array(id('Course'), { error: WRONG_COURSES })
    .min(BUNDLE_COURSES_MIN, WRONG_COURSES)
    .max(BUNDLE_COURSES_MAX, WRONG_COURSES)
    .refine((ids) => new Set(ids).size === ids.length, WRONG_COURSES),
  state: z.enum(['active', 'hidden'], { error: 'State must be active or hidden' }),
});

const bundleInput = bundleFields.transform(({ price, ...fields }) => ({ ...fields, priceCents: price }));

export type BundleInput = z.output<typeof bundleInput>;

export const listBundlesCall = contract({
  method: 'GET',
  path: '/api/admin/bundles',
  output: z.array(adminBundleModel),
});

export const createBundleCall = contract({
  method: 'POST',
  path: '/api/admin/bundles',
  input: bundleInput,
  output: adminBundleModel,
});

export const updateBundleCall = contract({
  method: 'PUT',
  path: '/api/admin/bundles/{id}',
  params: z.object({ id: idInPath('Bundle') }),
  input: bundleInput,
  output: adminBundleModel,
});

export const deleteBundleCall = contract({
  method: 'DELETE',
  path: '/api/admin/bundles/{id}',
  params: z.object({ id: idInPath('Bundle') }),
  output: z.object({ success: z.literal(true) }),
});
