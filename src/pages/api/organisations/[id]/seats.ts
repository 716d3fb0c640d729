import { giveSeatsCall } from '#src/features/organisations/schema.ts';
import { giveSeats } from '#src/features/organisations/seats/seats.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  giveSeatsCall,
  { access: 'user', limit: 'organisation-mail' },
  ({ user, params, input }) => giveSeats(user, params.id, input),
);
