import { chooseTime } from '#src/features/scenario/scenario.server.ts';
import { chooseTimeCall } from '#src/features/scenario/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const PUT = endpoint(
  chooseTimeCall,
  { access: 'user', limit: 'scenario-action' },
  ({ user, params, input }) => chooseTime(user, params.id, input.time),
);
