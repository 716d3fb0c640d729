import { writeGroupHintCall } from '#src/features/practice/groups/schema.ts';
import { writeGroupHint } from '#src/features/practice/groups/stuck.server.ts';
import { staffOf } from '#src/features/authoring/staff/course-access.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const PUT = endpoint(
  writeGroupHintCall,
  { access: staffOf('mistakes', 'author') },
  ({ actor, params, input }) => writeGroupHint(actor, params.id, input),
);
