import { z } from 'zod';
import { courseModel } from '#src/features/catalogue/schema.ts';
import { contract } from '#src/shared/contract.ts';
import { id, idInPath } from '#src/shared/fields.ts';

const cartLineModel = z.object({
  id: z.number(),
  userId: z.number(),
  courseId: z.number(),
  addedAt: z.string(),
  unavailable: z.enum(['hidden', 'owned', 'later']).nullable(),
  bundle: z.object({ id: z.number(), title: z.string(), price: z.string() }).nullable(),
  /** In a bundle, `price` is the course's share and `originalPrice` its single price. */
  course: courseModel,
});

export type CartLine = z.output<typeof cartLineModel>;

export const listCartCall = contract({
  method: 'GET',
  path: '/api/cart',
  output: z.array(cartLineModel),
});

export const countCartCall = contract({
  method: 'GET',
  path: '/api/cart/count',
  output: z.object({ count: z.number() }),
});

export const thing = { courseId: id('Course id').optional(), bundleId: id('Bundle id').optional() };

export const onlyOne = (
  { courseId, bundleId }: { courseId?: number | undefined; bundleId?: number | undefined },
  context: z.RefinementCtx,
): void => {
  if ((courseId === undefined) !== (bundleId === undefined)) return;
  const message =
    courseId === undefined ? 'Course id is required' : 'Give a course id or a bundle id, not both of them';
  context.addIssue({ code: 'custom', path: [courseId === undefined ? 'courseId' : 'bundleId'], message });
};

/** Answers the line, an existing one too (decision 24); of a bundle, its first. */
export const addToCartCall = contract({
  method: 'POST',
  path: '/api/cart',
  input: z.object(thing).superRefine(onlyOne),
  output: cartLineModel.extend({
    notice: z.string().optional(),
  }),
});

/** An absent course is no error; a bundle goes whole. */
export const removeFromCartCall = contract({
  method: 'DELETE',
  path: '/api/cart/{courseId}',
  params: z.object({ courseId: idInPath('Course id') }),
  output: z.object({ success: z.literal(true) }),
});
