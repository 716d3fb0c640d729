import { ApiError, call, messageOf } from '#src/shared/api.ts';
import { addToCartCall, listCartCall } from '#src/features/store/cart/schema.ts';
import { createDirectPaymentCall } from '#src/features/store/checkout/schema.ts';
import type { CourseState } from './cart.ts';

// Apart from course-actions.ts, because the contracts bring the schema library, which few who look at a course need.

type Thing = { courseId: number } | { bundleId: number };

/** Puts a course or a bundle into the cart: what it is to the visitor then, and what to say of it or of a refusal. */
export async function addToCart(
  thing: Thing,
): Promise<{ state: CourseState; refusal?: string; notice?: string }> {
  try {
    const { notice } = await call(addToCartCall, { input: thing });
    return { state: 'in-cart', ...(notice ? { notice } : {}) };
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return { state: 'signed-out' };
    return {
      state:
        'courseId' in thing && error instanceof ApiError && error.code === 'already_owned'
          ? 'enrolled'
          : 'none',
      refusal: messageOf(
        error,
        'courseId' in thing ? 'Failed to add course to cart' : 'Failed to add bundle to cart',
      ),
    };
  }
}

/**
 * Takes a course that costs nothing: what it is to the visitor then, what to say of a refusal, and whether the page is out
 * of date since the course costs something now.
 */
export async function enrollFree(
  courseId: number,
): Promise<{ state: CourseState; refusal?: string; isStale?: boolean }> {
  try {
    await call(createDirectPaymentCall, { input: { courseId, amount: 0 } });
    return { state: 'enrolled' };
  } catch (error) {
    // Who is not signed in any more counts as a guest there, of whom a name would be needed.
    const isGuest = error instanceof ApiError && (error.status === 401 || 'buyer' in error.fields);
    if (isGuest) return { state: 'signed-out' };
    return {
      state: error instanceof ApiError && error.code === 'already_owned' ? 'enrolled' : 'none',
      refusal: messageOf(error, 'You could not be enrolled. Please try again.'),
      isStale: error instanceof ApiError && error.code === 'price_changed',
    };
  }
}

/** Whether the cart has a course or a bundle now; null where that cannot be told. */
export async function isInCart(thing: Thing): Promise<boolean | null> {
  const lines = await call(listCartCall, {}).catch(() => null);
  return (
    lines?.some((line) =>
      'courseId' in thing ? line.courseId === thing.courseId : line.bundle?.id === thing.bundleId,
    ) ?? null
  );
}
