import { decideRequest } from '#src/features/account/roles.server.ts';
import { decideAdminRequest } from '#src/features/account/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(decideAdminRequest, { access: 'admin' }, async ({ actor, params, input }) => ({
  user: await decideRequest(actor, params.id, input.decision, input.reason),
}));
