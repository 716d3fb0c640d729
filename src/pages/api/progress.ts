import { listProgress } from '#src/features/learn/progress/enrollments.server.ts';
import { getProgressCall } from '#src/features/learn/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const GET = endpoint(getProgressCall, { access: 'user' }, ({ user }) => listProgress(user.id));
