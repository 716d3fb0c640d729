import { askGroupHint } from '#src/features/practice/groups/group-hints.server.ts';
import { askGroupHintCall } from '#src/features/practice/groups/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(askGroupHintCall, { access: 'user', limit: 'hints' }, ({ user, params }) =>
  askGroupHint(user, params.id),
);
