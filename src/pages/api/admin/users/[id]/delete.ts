import { deletePerson } from '#src/features/admin/people/personal-data.server.ts';
import { deleteUserCall } from '#src/features/admin/people/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(deleteUserCall, { access: 'admin' }, ({ actor, params, input }) =>
  deletePerson(actor, params.id, input),
);
