import { gradeAssignmentCall } from '#src/features/admin/grading/schema.ts';
import { gradeAssignment } from '#src/features/learn/assignments/assignments.server.ts';
import { staffOf } from '#src/features/authoring/staff/course-access.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  gradeAssignmentCall,
  { access: staffOf('submission', 'grader') },
  ({ actor, params, input }) => gradeAssignment(actor, params.id, input),
);
