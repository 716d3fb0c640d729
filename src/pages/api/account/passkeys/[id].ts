import { removePasskey } from '#src/features/account/second-factor/manage.server.ts';
import { endPasskey } from '#src/features/account/second-factor/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const DELETE = endpoint(endPasskey, { access: 'user' }, ({ user, signInId, params }) =>
  removePasskey({ userId: user.id, signInId }, params.id),
);
