import { ApiError, call, messageOf } from '#src/shared/api.ts';
import { addToCartCall, listCartCall } from '#src/features/store/schema.ts';
import type { CourseState } from './cart.ts';

// Apart from course-actions.ts, because the contracts bring the schema library, which few who look at a course need.

/** Puts a course into the cart: what it is to the visitor then, and what to say of a refusal. */
export async function addToCart(courseId: number): Promise<{ state: CourseState; refusal?: string }> {
  try {
    await call(addToCartCall, { input: { courseId } });
    return { state: 'in-cart' };
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return { state: 'signed-out' };
    return {
      state: error instanceof ApiError && error.code === 'already_owned' ? 'enrolled' : 'none',
      refusal: messageOf(error, 'Failed to add course to cart'),
    };
  }
}

/** Whether the cart has a course now; null where that cannot be told. */
export async function isInCart(courseId: number): Promise<boolean | null> {
  const lines = await call(listCartCall, {}).catch(() => null);
  return lines?.some((line) => line.courseId === courseId) ?? null;
}
