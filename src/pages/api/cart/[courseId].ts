import { removeCartLine } from '#src/features/store/cart/cart.server.ts';
import { removeFromCartCall } from '#src/features/store/cart/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const DELETE = endpoint(
  removeFromCartCall,
  { access: 'user', limit: 'cart' },
  async ({ user, params }) => {
    await removeCartLine(user.id, params.courseId);
    return { success: true as const };
  },
);
