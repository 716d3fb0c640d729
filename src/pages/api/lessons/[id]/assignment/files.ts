import { submitFile } from '#src/features/learn/assignments/assignments.server.ts';
import { submitAssignmentFileCall } from '#src/features/learn/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  submitAssignmentFileCall,
  { access: 'user', limit: 'assignment-files' },
  ({ user, params, request }) => submitFile(user.id, params.id, request),
);
