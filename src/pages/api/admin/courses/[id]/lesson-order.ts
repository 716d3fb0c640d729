import { orderLessons } from '#src/features/authoring/lesson-editor/lessons.server.ts';
import { orderLessonsCall } from '#src/features/authoring/lesson-editor/schema.ts';
import { staffOf } from '#src/features/authoring/staff/course-access.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const PUT = endpoint(
  orderLessonsCall,
  { access: staffOf('course', 'author') },
  ({ actor, params, input }) => orderLessons(actor, params.id, input),
);
