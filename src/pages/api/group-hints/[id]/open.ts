import { openGroupHint } from '#src/features/practice/groups/group-hints.server.ts';
import { openGroupHintCall } from '#src/features/practice/groups/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(openGroupHintCall, { access: 'user', limit: 'hints' }, ({ user, params }) =>
  openGroupHint(user, params.id),
);
