import { endOwnSignIn } from '#src/features/account/own-account.server.ts';
import { endOwnSession } from '#src/features/account/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const DELETE = endpoint(endOwnSession, { access: 'user' }, ({ user, params }) =>
  endOwnSignIn(user.id, params.id),
);
