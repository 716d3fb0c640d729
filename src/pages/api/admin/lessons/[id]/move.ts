import { moveLessonCall } from '#src/features/authoring/lesson-editor/schema.ts';
import { moveLessonToCourse } from '#src/features/authoring/transfer/copies.server.ts';
import { requireAuthor, staffOf } from '#src/features/authoring/staff/course-access.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  moveLessonCall,
  { access: staffOf('lesson', 'author') },
  ({ user, actor, params, input }) => {
    requireAuthor(user, input.courseId);
    return moveLessonToCourse(actor, params.id, input.courseId);
  },
);
