import { z } from 'zod';
import { isSafeAddress, parseLevel } from '#src/features/catalogue/catalogue.ts';
import { courseModel, listing } from '#src/features/catalogue/schema.ts';
import { contract } from '#src/shared/contract.ts';
import { MAX_ID, idInPath, line, text } from '#src/shared/fields.ts';
import { decimalToCents, PRICE_MAX_CENTS } from '#src/shared/money.ts';

export const courseParams = z.object({ id: idInPath('Course id') });

/**
 * `PUT /api/courses/{id}/toggle`: flips whether the course is to be in the store, and says how it stands now. `version` is
 * the course's after it.
 */
export const toggleCourseCall = contract({
  method: 'PUT',
  path: '/api/courses/{id}/toggle',
  params: courseParams,
  output: z.object({ id: z.number(), isActive: z.boolean(), ...listing, version: z.number() }),
});

export type Toggled = z.output<typeof toggleCourseCall.output>;

/** Characters of a course's texts at most. */
export const COURSE_MAX = { title: 150, description: 20_000, thumbnail: 500, duration: 50 } as const;
/** The largest original price in cents: what the column of spec 9 holds. */
const ORIGINAL_PRICE_MAX_CENTS = 999_999_999;
/** The smallest price of a course that is not free: the provider's minimum (decision 23). */
export const PRICE_MIN_CENTS = 50;

const WRONG_PRICE = 'must be dollars and cents, such as 49.00';

/** Text or number → cents; null where it is not an exact amount (fault N8). Text keeps money out of floats. */
function exactCents(dollars: string | number): number | null {
  if (typeof dollars === 'string') return decimalToCents(dollars.trim());
  return Object.is(dollars, -0) ? null : decimalToCents(String(dollars));
}

/** '' and null count as not given. */
const given = (value: unknown) => (value === null || value === '' ? undefined : value);

/** Dollars as they travel; cents once they are parsed. */
export const price = z
  .preprocess(given, z.union([z.string(), z.number()], { error: 'Price is required' }))
  .transform((priceDollars, context) => {
    const priceCents = exactCents(priceDollars);
    const problem =
      priceCents === null
        ? `Price ${WRONG_PRICE}`
        : priceCents > PRICE_MAX_CENTS
          ? 'Price must be at most 999999.99'
          : priceCents > 0 && priceCents < PRICE_MIN_CENTS
            ? 'Price must be 0 for a free course, or at least 0.50'
            : null;
    if (problem === null) return priceCents!;
    context.addIssue({ code: 'custom', message: problem });
    return z.NEVER;
  });

export const originalPrice = z
  .preprocess(given, z.union([z.string(), z.number()], { error: `Original price ${WRONG_PRICE}` }).optional())
  .transform((value, context) => {
    if (value === undefined) return null;
    const cents = exactCents(value);
    if (cents !== null && cents <= ORIGINAL_PRICE_MAX_CENTS) return cents;
    const message =
      cents === null ? `Original price ${WRONG_PRICE}` : 'Original price must be at most 9999999.99';
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

/** An address that may stand in a page: https or a path of this site (fault U2). The server never opens it. */
export const safeAddress = (label: string, limits: { min?: number; max: number }) =>
  line(label, limits).refine(
    (value) => value === '' || isSafeAddress(value),
    `${label} must be an https:// address or a path of this site`,
  );

/** A field that is left out is as missing as one that is empty. */
export const filled = <S extends z.ZodType>(schema: S) => z.preprocess((value) => value ?? '', schema);

const WRONG_LEVEL = 'Choose Beginner, Intermediate or Advanced';

/** A level by its name, in any case (decision 28). */
export const level = z.string({ error: WRONG_LEVEL }).transform((value, context) => {
  const found = parseLevel(value);
  if (found) return found;
  context.addIssue({ code: 'custom', message: WRONG_LEVEL });
  return z.NEVER;
});

export const categoryId = z
  .preprocess(
    (value) => (typeof value === 'string' && /^[1-9]\d{0,9}$/.test(value) ? Number(value) : given(value)),
    z.number({ error: 'Category is required' }),
  )
  .refine((value) => Number.isInteger(value) && value >= 1 && value <= MAX_ID, 'There is no such category');

/** A row's version as its editor read it; a save of an older one is refused instead of overwriting. */
export const version = z
  .int({ error: 'Version must be a whole number' })
  .min(1, 'Version must be positive')
  .max(MAX_ID, 'Version is out of range');

/**
 * What the course form holds (spec 5). Prices are decimal strings and cents after parsing; levels are taken in any
 * case. `createdBy`, `createdAt`, `studentsCount` and `rating` are not read, whoever sends them (decision 31).
 */
const courseFields = {
  title: filled(line('Title', { max: COURSE_MAX.title })),
  description: filled(text('Description', { max: COURSE_MAX.description })),
  thumbnail: filled(safeAddress('Thumbnail', { max: COURSE_MAX.thumbnail })),
  price,
  originalPrice,
  duration: filled(line('Duration', { max: COURSE_MAX.duration })),
  level,
  categoryId,
  isActive: z.boolean({ error: 'isActive must be true or false' }).optional(),
  /** Months after which the course's certificates expire; null or left out for never (decision 39). */
  certificateMonths: z
    .preprocess(given, z.number({ error: 'Certificate months must be a whole number' }).optional())
    .refine(
      (value) => value === undefined || (Number.isInteger(value) && value >= 1 && value <= 600),
      'Certificate months must be from 1 to 600',
    )
    .transform((value) => value ?? null),
};

/** The struck through price is the higher one: a lower one would promise a discount that is none. */
export function refuseLowOriginal(
  course: { price: number; originalPrice: number | null },
  context: z.RefinementCtx,
): void {
  if (course.originalPrice === null || course.originalPrice >= course.price) return;
  const message = 'Original price must not be below the price';
  context.addIssue({ code: 'custom', path: ['originalPrice'], message });
}

const courseInput = z.object(courseFields).superRefine(refuseLowOriginal);
export type CourseInput = z.output<typeof courseInput>;

/** A course as its editor gets it back. */
const editedCourse = courseModel.extend({ version: z.number() });

/** `POST /api/courses` */
export const createCourseCall = contract({
  method: 'POST',
  path: '/api/courses',
  input: courseInput,
  output: editedCourse,
});

/**
 * `PUT /api/courses/{id}`: the same body. With the `version` that was read, a colleague's newer change is refused with
 * 409 and named in `changed`; without it the last one wins.
 */
export const updateCourseCall = contract({
  method: 'PUT',
  path: '/api/courses/{id}',
  params: courseParams,
  input: z.object({ ...courseFields, version: version.optional() }).superRefine(refuseLowOriginal),
  output: editedCourse,
});

/** What a colleague changed since a form was opened, in the answer 409. */
export const changedFields = z.object({
  changed: z.array(z.object({ field: z.string(), label: z.string(), value: z.string() })),
  version: z.number(),
});
export type ChangedFields = z.output<typeof changedFields>;

/** Bytes of a thumbnail at most. */
export const THUMBNAIL_MAX_BYTES = 5_242_880;

/** `POST /api/admin/thumbnails`: keeps a picture for everyone, sent as `file` in a form. */
export const uploadThumbnailCall = contract({
  method: 'POST',
  path: '/api/admin/thumbnails',
  output: z.object({ thumbnail: z.string() }),
});

/** `DELETE /api/courses/{id}`: what became of the course (decision 30). */
export const deleteCourseCall = contract({
  method: 'DELETE',
  path: '/api/courses/{id}',
  params: courseParams,
  output: z.object({ outcome: z.enum(['removed', 'hidden']) }),
});
