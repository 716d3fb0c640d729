import { publishChanges } from '#src/features/authoring/publishing/publish-check.server.ts';
import { publishChangesCall } from '#src/features/authoring/publishing/schema.ts';
import { staffOf } from '#src/features/authoring/staff/course-access.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  publishChangesCall,
  { access: staffOf('course', 'author'), limit: 'publish-check' },
  async ({ actor, params, input, status }) => {
    status(202);
    return publishChanges(actor, params.id, input);
  },
);
