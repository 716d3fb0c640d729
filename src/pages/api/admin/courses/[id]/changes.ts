import { pendingChanges } from '#src/features/authoring/changes/changes.server.ts';
import { pendingChangesCall } from '#src/features/authoring/publishing/schema.ts';
import { staffOf } from '#src/features/authoring/staff/course-access.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const GET = endpoint(pendingChangesCall, { access: staffOf('course', 'author') }, ({ params }) =>
  pendingChanges(params.id),
);
