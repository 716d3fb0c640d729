import { joinCall } from '#src/features/organisations/schema.ts';
import { join } from '#src/features/organisations/seats/join.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(joinCall, { access: 'user', limit: 'join' }, ({ user, input }) =>
  join(user, input.token),
);
