import { takeInvitationBack } from '#src/features/organisations/members.server.ts';
import { takeInvitationBackCall } from '#src/features/organisations/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const DELETE = endpoint(takeInvitationBackCall, { access: 'user' }, ({ user, params }) =>
  takeInvitationBack(user.id, params.id, params.invitation),
);
