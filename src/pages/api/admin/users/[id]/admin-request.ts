import { decideRequest } from '#src/features/account/roles.server.ts';
import { decideAdminRequest } from '#src/features/account/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(decideAdminRequest, { access: 'admin' }, async ({ user, params, input }) => ({
  user: await decideRequest({ id: user.id, name: user.username }, params.id, input.decision, input.reason),
}));
