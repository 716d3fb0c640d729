import { endOtherSignIns } from '#src/features/account/own-account.server.ts';
import { endOtherSessions } from '#src/features/account/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const DELETE = endpoint(endOtherSessions, { access: 'user' }, ({ user, signInId }) =>
  endOtherSignIns(user.id, signInId),
);
