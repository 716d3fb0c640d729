import { overrideFinding } from '#src/features/authoring/publishing/publish-check.server.ts';
import { overrideFindingCall } from '#src/features/authoring/publishing/schema.ts';
import { staffOf } from '#src/features/authoring/staff/course-access.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const PUT = endpoint(
  overrideFindingCall,
  { access: staffOf('course', 'author') },
  ({ actor, params, input }) => overrideFinding(actor, params.id, input),
);
