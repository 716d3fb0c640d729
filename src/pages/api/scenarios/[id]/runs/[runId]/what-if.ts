import { tryWhatIf } from '#src/features/scenario/scenario.server.ts';
import { whatIfCall } from '#src/features/scenario/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  whatIfCall,
  { access: 'user', limit: { name: 'scenario-what-if', points: 60, seconds: 60, by: 'user' } },
  ({ user, params, input }) => tryWhatIf(user, params.id, params.runId, input),
);
