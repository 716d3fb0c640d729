import { inviteMember } from '#src/features/organisations/members.server.ts';
import { inviteMemberCall } from '#src/features/organisations/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  inviteMemberCall,
  { access: 'user', limit: 'organisation-members' },
  ({ user, params, input }) => inviteMember(user, params.id, input),
);
