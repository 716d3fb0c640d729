import { overrideFinding } from '#src/features/authoring/publishing/publish-check.server.ts';
import { overrideFindingCall } from '#src/features/authoring/publishing/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const PUT = endpoint(overrideFindingCall, { access: 'admin' }, ({ actor, params, input }) =>
  overrideFinding(actor, params.id, input),
);
