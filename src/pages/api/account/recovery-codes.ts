import { replaceRecoveryCodes } from '#src/features/account/second-factor/manage.server.ts';
import { newRecoveryCodes } from '#src/features/account/second-factor/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(newRecoveryCodes, { access: 'user' }, ({ user, signInId }) =>
  replaceRecoveryCodes({ userId: user.id, signInId }),
);
