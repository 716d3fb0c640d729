import { completeLesson } from '#src/features/learn/progress/completion.server.ts';
import { completeLessonCall } from '#src/features/learn/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  completeLessonCall,
  { access: 'user', limit: 'complete-lesson' },
  ({ params, user }) => completeLesson(user, params.id, params.lessonId),
);
