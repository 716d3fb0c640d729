import { duplicateLesson } from '#src/features/authoring/transfer/copies.server.ts';
import { duplicateLessonCall } from '#src/features/authoring/lesson-editor/schema.ts';
import { staffOf } from '#src/features/authoring/staff/course-access.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  duplicateLessonCall,
  { access: staffOf('lesson', 'author') },
  ({ actor, params, status }) => {
    status(201);
    return duplicateLesson(actor, params.id);
  },
);
