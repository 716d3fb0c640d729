import { deleteLesson, updateLesson } from '#src/features/authoring/lesson-editor/lessons.server.ts';
import { deleteLessonCall, updateLessonCall } from '#src/features/authoring/lesson-editor/schema.ts';
import { staffOf } from '#src/features/authoring/staff/course-access.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const PUT = endpoint(
  updateLessonCall,
  { access: staffOf('lesson', 'author') },
  ({ actor, params, input }) => updateLesson(actor, params.id, input),
);

export const DELETE = endpoint(
  deleteLessonCall,
  { access: staffOf('lesson', 'author') },
  ({ actor, params }) => deleteLesson(actor, params.id),
);
