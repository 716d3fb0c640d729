import { changeSeatsCall } from '#src/features/organisations/schema.ts';
import { changeSeats } from '#src/features/organisations/seats/bulk.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  changeSeatsCall,
  { access: 'user', limit: 'organisation-mail' },
  ({ user, params, input }) => changeSeats(user, params.id, input),
);
