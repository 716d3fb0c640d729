import { gradeAssignmentCall } from '#src/features/admin/grading/schema.ts';
import { gradeAssignment } from '#src/features/learn/assignments/assignments.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(gradeAssignmentCall, { access: 'admin' }, ({ actor, params, input }) =>
  gradeAssignment(actor, params.id, input),
);
