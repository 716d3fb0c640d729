import { exportPerson } from '#src/features/admin/people/personal-data.server.ts';
import { exportUserCall } from '#src/features/admin/people/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const GET = endpoint(exportUserCall, { access: 'admin' }, async ({ actor, params, headers }) => {
  const data = await exportPerson(actor, params.id);
  headers.set('content-disposition', `attachment; filename="user-${params.id}.json"`);
  return data;
});
