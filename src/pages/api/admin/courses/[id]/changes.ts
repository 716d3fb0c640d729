import { pendingChanges } from '#src/features/authoring/changes/changes.server.ts';
import { pendingChangesCall } from '#src/features/authoring/publishing/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const GET = endpoint(pendingChangesCall, { access: 'admin' }, ({ params }) =>
  pendingChanges(params.id),
);
