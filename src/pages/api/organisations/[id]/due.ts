import { setSeatsDueCall } from '#src/features/organisations/schema.ts';
import { setSeatsDue } from '#src/features/organisations/seats/seats.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const PUT = endpoint(setSeatsDueCall, { access: 'user' }, ({ user, params, input }) =>
  setSeatsDue(user, params.id, input),
);
