import { startScenario } from '#src/features/scenario/scenario.server.ts';
import { startScenarioCall } from '#src/features/scenario/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  startScenarioCall,
  { access: 'user', limit: 'scenario-start' },
  ({ user, params }) => startScenario(user, params.id),
);
