import { createLesson } from '#src/features/authoring/lesson-editor/lessons.server.ts';
import { createLessonCall } from '#src/features/authoring/lesson-editor/schema.ts';
import { staffOf } from '#src/features/authoring/staff/course-access.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  createLessonCall,
  { access: staffOf('course', 'author') },
  ({ actor, params, input, status }) => {
    status(201);
    return createLesson(actor, params.id, input);
  },
);
