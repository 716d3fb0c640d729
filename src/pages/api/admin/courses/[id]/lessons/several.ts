import { severalLessonsCall } from '#src/features/authoring/lesson-editor/schema.ts';
import { requireAuthor, staffOf } from '#src/features/authoring/staff/course-access.server.ts';
import { changeSeveral } from '#src/features/authoring/transfer/several-lessons.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  severalLessonsCall,
  { access: staffOf('course', 'author') },
  ({ user, actor, params, input }) => {
    if ('courseId' in input.action) requireAuthor(user, input.action.courseId);
    return changeSeveral(actor, params.id, input);
  },
);
