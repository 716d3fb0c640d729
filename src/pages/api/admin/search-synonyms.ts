import { addSynonymCall } from '#src/features/admin/insights/schema.ts';
import { addSynonym } from '#src/features/admin/insights/searches.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(addSynonymCall, { access: 'admin' }, ({ actor, input, status }) => {
  status(201);
  return addSynonym(actor, input);
});
