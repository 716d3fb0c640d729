import { tryWhatIf } from '#src/features/scenario/replays.server.ts';
import { whatIfCall } from '#src/features/scenario/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  whatIfCall,
  { access: 'user', limit: 'scenario-what-if' },
  ({ user, params, input }) => tryWhatIf(user, params.id, params.runId, input),
);
