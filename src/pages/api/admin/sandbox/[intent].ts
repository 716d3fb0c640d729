import { playSandbox } from '#src/features/admin/operations/sandbox.server.ts';
import { playSandboxCall } from '#src/features/admin/operations/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(playSandboxCall, { access: 'admin' }, ({ params, input }) =>
  playSandbox(params.intent, input.action),
);
