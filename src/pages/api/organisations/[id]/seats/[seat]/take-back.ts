import { takeSeatBackCall } from '#src/features/organisations/schema.ts';
import { takeSeatBack } from '#src/features/organisations/seats/given-seats.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(takeSeatBackCall, { access: 'user' }, ({ user, params }) =>
  takeSeatBack(user, params.id, params.seat),
);
