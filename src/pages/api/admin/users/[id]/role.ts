import { setRole } from '#src/features/account/roles.server.ts';
import { changeRole } from '#src/features/account/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const PUT = endpoint(changeRole, { access: 'admin' }, async ({ user, params, input }) => ({
  user: await setRole({ id: user.id, name: user.username }, params.id, input.role, input.reason),
}));
