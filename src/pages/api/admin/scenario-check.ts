import { checkDraft } from '#src/features/admin/scenario-check.server.ts';
import { checkScenarioCall } from '#src/features/admin/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

const limit = { name: 'scenario-check', points: 40, seconds: 60, by: 'user' } as const;

export const POST = endpoint(checkScenarioCall, { access: 'admin', limit }, ({ input, request }) =>
  checkDraft(input.definition, request.signal),
);
