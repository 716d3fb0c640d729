import { removeSynonymCall } from '#src/features/admin/insights/schema.ts';
import { removeSynonym } from '#src/features/admin/insights/searches.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const DELETE = endpoint(removeSynonymCall, { access: 'admin' }, ({ actor, params }) =>
  removeSynonym(actor, params.id),
);
