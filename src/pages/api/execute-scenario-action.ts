import { executeAction } from '#src/features/scenario/actions.server.ts';
import { executeActionCall } from '#src/features/scenario/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  executeActionCall,
  { access: 'user', limit: 'scenario-action' },
  ({ user, input }) => executeAction(user, input),
);
