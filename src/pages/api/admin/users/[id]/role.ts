import { setRole } from '#src/features/account/roles.server.ts';
import { changeRole } from '#src/features/account/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const PUT = endpoint(changeRole, { access: 'admin' }, async ({ actor, params, input }) => ({
  user: await setRole(actor, params.id, input.role, input.reason),
}));
