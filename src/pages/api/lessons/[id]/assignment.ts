import { getAssignment, submitText } from '#src/features/learn/assignments/assignments.server.ts';
import { getAssignmentCall, submitAssignmentCall } from '#src/features/learn/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const GET = endpoint(getAssignmentCall, { access: 'user' }, ({ user, params }) =>
  getAssignment(user.id, params.id),
);

export const POST = endpoint(
  submitAssignmentCall,
  { access: 'user', limit: 'assignment' },
  ({ user, params, input }) => submitText(user.id, params.id, input.submission),
);
