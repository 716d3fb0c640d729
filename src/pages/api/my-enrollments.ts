import { listEnrollmentsWithContent } from '#src/features/learn/progress/enrollments.server.ts';
import { listMyEnrollmentsCall } from '#src/features/learn/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const GET = endpoint(listMyEnrollmentsCall, { access: 'user' }, ({ user }) =>
  listEnrollmentsWithContent(user.id),
);
