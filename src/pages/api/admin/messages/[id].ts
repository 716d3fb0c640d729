import { setMessageStatus } from '#src/features/admin/operations/messages.server.ts';
import { setMessageStatusCall } from '#src/features/admin/operations/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const PUT = endpoint(setMessageStatusCall, { access: 'admin' }, ({ actor, params, input }) =>
  setMessageStatus(actor, params.id, input.status),
);
