import { tryLessonCall } from '#src/features/authoring/lesson-editor/schema.ts';
import { tryLesson } from '#src/features/practice/run-code.server.ts';
import { someAuthor } from '#src/features/authoring/staff/course-access.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  tryLessonCall,
  { access: someAuthor, limit: 'try-lesson' },
  ({ user, input: { code, ...lesson } }) => tryLesson(user, lesson, code),
);
