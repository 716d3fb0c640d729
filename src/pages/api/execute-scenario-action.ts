import { executeAction } from '#src/features/scenario/scenario.server.ts';
import { executeActionCall } from '#src/features/scenario/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  executeActionCall,
  { access: 'user', limit: { name: 'scenario-action', points: 60, seconds: 60, by: 'user' } },
  ({ user, input }) => executeAction(user, input),
);
