import { getRun } from '#src/features/scenario/scenario.server.ts';
import { getRunCall } from '#src/features/scenario/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const GET = endpoint(getRunCall, { access: 'user' }, ({ user, params }) =>
  getRun(user, params.id, params.runId),
);
