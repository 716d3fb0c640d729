import { endUserSession } from '#src/features/account/schema.ts';
import { endSignIn } from '#src/features/admin/people/people.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const DELETE = endpoint(endUserSession, { access: 'admin' }, ({ actor, params }) =>
  endSignIn(actor, params.id, params.signIn),
);
