import { openOrganisation } from '#src/features/organisations/members.server.ts';
import { openOrganisationCall } from '#src/features/organisations/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  openOrganisationCall,
  { access: 'user', limit: 'organisation-new' },
  ({ user, input, status }) => {
    status(201);
    return openOrganisation(user, input.name);
  },
);
