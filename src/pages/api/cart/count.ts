import { countCart } from '#src/features/store/cart/cart.server.ts';
import { countCartCall } from '#src/features/store/cart/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const GET = endpoint(countCartCall, { access: 'user' }, ({ user }) => countCart(user.id));
