import { completeLesson } from '#src/features/learn/learn.server.ts';
import { completeLessonCall } from '#src/features/learn/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

// Far above what a person reads; it bounds what a script can queue.
const limit = { name: 'complete-lesson', points: 120, seconds: 60, by: 'user' } as const;

export const POST = endpoint(completeLessonCall, { access: 'user', limit }, ({ params, user }) =>
  completeLesson(user, params.id, params.lessonId),
);
