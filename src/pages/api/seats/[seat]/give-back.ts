import { giveSeatBackCall } from '#src/features/organisations/schema.ts';
import { giveSeatBack } from '#src/features/organisations/seats/given-seats.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(giveSeatBackCall, { access: 'user' }, ({ user, params }) =>
  giveSeatBack(user, params.seat),
);
