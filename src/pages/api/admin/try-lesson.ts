import { tryLessonCall } from '#src/features/authoring/builder/schema.ts';
import { tryLesson } from '#src/features/practice/run-code.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  tryLessonCall,
  { access: 'admin', limit: 'try-lesson' },
  ({ user, input: { code, ...lesson } }) => tryLesson(user, lesson, code),
);
