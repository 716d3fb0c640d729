import { getLesson } from '#src/features/practice/practice.server.ts';
import { getLessonCall } from '#src/features/practice/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const GET = endpoint(getLessonCall, { access: 'public' }, ({ user, params }) =>
  getLesson(user, params.id),
);
