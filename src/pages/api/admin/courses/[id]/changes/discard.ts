import { discardChanges } from '#src/features/authoring/changes/switch.server.ts';
import { discardChangesCall } from '#src/features/authoring/publishing/schema.ts';
import { staffOf } from '#src/features/authoring/staff/course-access.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  discardChangesCall,
  { access: staffOf('course', 'author') },
  ({ actor, params, input }) => discardChanges(actor, params.id, input),
);
