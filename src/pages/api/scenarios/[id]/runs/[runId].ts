import { getRun } from '#src/features/scenario/replays.server.ts';
import { getRunCall } from '#src/features/scenario/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const GET = endpoint(
  getRunCall,
  // A long run is played again for each of them.
  { access: 'user', limit: 'scenario-replay' },
  ({ user, params }) => getRun(user, params.id, params.runId),
);
