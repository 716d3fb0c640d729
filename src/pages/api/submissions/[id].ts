import { getSubmission } from '#src/features/practice/submissions.server.ts';
import { getSubmissionCall } from '#src/features/practice/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const GET = endpoint(getSubmissionCall, { access: 'user' }, ({ user, params }) =>
  getSubmission(user.id, params.id),
);
