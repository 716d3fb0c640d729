import { renameOrganisation } from '#src/features/organisations/members.server.ts';
import { renameOrganisationCall } from '#src/features/organisations/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const PUT = endpoint(renameOrganisationCall, { access: 'user' }, ({ user, params, input }) =>
  renameOrganisation(user.id, params.id, input.name),
);
