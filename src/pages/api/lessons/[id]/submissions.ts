import { listSubmissions } from '#src/features/practice/submissions.server.ts';
import { listSubmissionsCall } from '#src/features/practice/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const GET = endpoint(listSubmissionsCall, { access: 'user' }, ({ user, params }) =>
  listSubmissions(user.id, params.id),
);
