import { remindSeatCall } from '#src/features/organisations/schema.ts';
import { remindSeat } from '#src/features/organisations/seats/given-seats.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  remindSeatCall,
  { access: 'user', limit: 'organisation-mail' },
  ({ user, params }) => remindSeat(user, params.id, params.seat),
);
