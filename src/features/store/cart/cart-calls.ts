import { ApiError, call, messageOf } from '#src/shared/api.ts';
import { addToCartCall, listCartCall } from '#src/features/store/cart/schema.ts';
import { createDirectPaymentCall } from '#src/features/store/checkout/schema.ts';
import type { CourseState } from './cart.ts';

// Apart from course-actions.ts: the contracts bring the schema library.

type Thing = { courseId: number } | { bundleId: number };

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

/** Gives the state afterwards, a message, and whether the page is stale because the course costs money by now. */
export async function enrollFree(
  courseId: number,
): Promise<{ state: CourseState; refusal?: string; isStale?: boolean }> {
  try {
    await call(createDirectPaymentCall, { input: { courseId, amount: 0 } });
    return { state: 'enrolled' };
  } catch (error) {
    const isGuest = error instanceof ApiError && (error.status === 401 || 'buyer' in error.fields);
    if (isGuest) return { state: 'signed-out' };
    return {
      state: error instanceof ApiError && error.code === 'already_owned' ? 'enrolled' : 'none',
      refusal: messageOf(error, 'You could not be enrolled. Please try again.'),
      isStale: error instanceof ApiError && error.code === 'price_changed',
    };
  }
}

export async function isInCart(thing: Thing): Promise<boolean | null> {
  const lines = await call(listCartCall, {}).catch(() => null);
  return (
    lines?.some((line) =>
      'courseId' in thing ? line.courseId === thing.courseId : line.bundle?.id === thing.bundleId,
    ) ?? null
  );
}
