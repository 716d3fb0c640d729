import { writeGroupHintCall } from '#src/features/practice/groups/schema.ts';
import { writeGroupHint } from '#src/features/practice/groups/stuck.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const PUT = endpoint(writeGroupHintCall, { access: 'admin' }, ({ actor, params, input }) =>
  writeGroupHint(actor, params.id, input),
);
