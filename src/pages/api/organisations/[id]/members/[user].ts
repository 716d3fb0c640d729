import { removeMember } from '#src/features/organisations/members.server.ts';
import { removeMemberCall } from '#src/features/organisations/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const DELETE = endpoint(removeMemberCall, { access: 'user' }, ({ user, params }) =>
  removeMember(user.id, params.id, params.user),
);
