import { getEnrollment } from '#src/features/learn/progress/enrollments.server.ts';
import { getMyEnrollmentCall } from '#src/features/learn/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const GET = endpoint(getMyEnrollmentCall, { access: 'user' }, ({ user, params }) =>
  getEnrollment(user.id, params.courseId),
);
