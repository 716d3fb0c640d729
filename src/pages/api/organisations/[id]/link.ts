import { setSeatLinkCall } from '#src/features/organisations/schema.ts';
import { setSeatLink } from '#src/features/organisations/seats/seats.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const PUT = endpoint(setSeatLinkCall, { access: 'user' }, ({ user, params, input }) =>
  setSeatLink(user, params.id, input),
);
