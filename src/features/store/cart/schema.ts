import { z } from 'zod';
import { courseModel } from '#src/features/catalogue/schema.ts';
import { contract } from '#src/shared/contract.ts';
import { id, idInPath } from '#src/shared/fields.ts';

/** A line of the cart with its course (spec 3). */
export const cartLineModel = z.object({
  id: z.number(),
  userId: z.number(),
  courseId: z.number(),
  addedAt: z.string(),
  /** Why the line cannot be bought any more; null for a line that can (decision 24). A bundle's lines have one answer. */
  unavailable: z.enum(['hidden', 'owned']).nullable(),
  /** The bundle that the course is in the cart with; its lines come and go together. */
  bundle: z.object({ id: z.number(), title: z.string(), price: z.string() }).nullable(),
  /** In a bundle, `price` is the course's share of the bundle's price and `originalPrice` what it costs singly. */
  course: courseModel,
});

export type CartLine = z.output<typeof cartLineModel>;

/** `GET /api/cart` */
export const listCartCall = contract({
  method: 'GET',
  path: '/api/cart',
  output: z.array(cartLineModel),
});

/** `GET /api/cart/count`: how many lines the cart holds, for the badge of every page. */
export const countCartCall = contract({
  method: 'GET',
  path: '/api/cart/count',
  output: z.object({ count: z.number() }),
});

/** A course or a bundle; exactly one, which `onlyOne` sees to. */
export const thing = { courseId: id('Course id').optional(), bundleId: id('Bundle id').optional() };

/** For a body with `thing`: exactly one of the two is named. */
export const onlyOne = (
  { courseId, bundleId }: { courseId?: number | undefined; bundleId?: number | undefined },
  context: z.RefinementCtx,
): void => {
  if ((courseId === undefined) !== (bundleId === undefined)) return;
  const message =
    courseId === undefined ? 'Course id is required' : 'Give a course id or a bundle id, not both of them';
  context.addIssue({ code: 'custom', path: [courseId === undefined ? 'courseId' : 'bundleId'], message });
};

/** `POST /api/cart`: answers the line, an existing one too (decision 24); of a bundle, its first. */
export const addToCartCall = contract({
  method: 'POST',
  path: '/api/cart',
  input: z.object(thing).superRefine(onlyOne),
  output: cartLineModel.extend({
    /** What the buyer should know: a course was in the cart already, by itself or with a bundle. */
    notice: z.string().optional(),
  }),
});

/** `DELETE /api/cart/{courseId}`: removing what is not there is no error. The bundle of a course goes with it, whole. */
export const removeFromCartCall = contract({
  method: 'DELETE',
  path: '/api/cart/{courseId}',
  params: z.object({ courseId: idInPath('Course id') }),
  output: z.object({ success: z.literal(true) }),
});
