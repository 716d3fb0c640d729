import {
  addAuthenticator,
  beginAuthenticator,
  removeAuthenticator,
} from '#src/features/account/second-factor/manage.server.ts';
import {
  confirmAuthenticator,
  endAuthenticator,
  newAuthenticator,
} from '#src/features/account/second-factor/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(newAuthenticator, { access: 'user' }, ({ user, signInId }) =>
  beginAuthenticator({ userId: user.id, signInId }),
);

export const PUT = endpoint(
  confirmAuthenticator,
  { access: 'user', limit: 'one-time-codes' },
  ({ user, signInId, input }) => addAuthenticator({ userId: user.id, signInId }, input.code),
);

export const DELETE = endpoint(endAuthenticator, { access: 'user' }, ({ user, signInId }) =>
  removeAuthenticator({ userId: user.id, signInId }),
);
