import { addToCart, listCart } from '#src/features/store/cart/cart.server.ts';
import { addToCartCall, listCartCall } from '#src/features/store/cart/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const GET = endpoint(listCartCall, { access: 'user' }, ({ user }) => listCart(user.id));

export const POST = endpoint(addToCartCall, { access: 'user', limit: 'cart' }, ({ user, input }) =>
  addToCart(user.id, input),
);
