import { getScenario } from '#src/features/scenario/scenario.server.ts';
import { getScenarioCall } from '#src/features/scenario/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const GET = endpoint(getScenarioCall, { access: 'public' }, ({ user, params }) =>
  getScenario(user, params.id),
);
