import { overrideFinding } from '#src/features/admin/gate.server.ts';
import { overrideFindingCall } from '#src/features/admin/gate-schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const PUT = endpoint(overrideFindingCall, { access: 'admin' }, ({ user, params, input }) =>
  overrideFinding({ id: user.id, name: user.username }, params.id, input),
);
