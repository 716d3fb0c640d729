import { listEnrollments } from '#src/features/learn/progress/enrollments.server.ts';
import { listEnrollmentsCall } from '#src/features/learn/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const GET = endpoint(listEnrollmentsCall, { access: 'user' }, ({ user }) => listEnrollments(user.id));
