import { changeOwnPassword } from '#src/features/account/own-account.server.ts';
import { changePassword } from '#src/features/account/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const PUT = endpoint(changePassword, { access: 'user' }, ({ user, signInId, input, ip }) =>
  changeOwnPassword(user.id, signInId, input, ip),
);
