import { addAttempt } from '#src/features/admin/grading/cell.server.ts';
import { addAttemptCall } from '#src/features/admin/grading/schema.ts';
import { staffOf } from '#src/features/authoring/staff/course-access.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  addAttemptCall,
  { access: staffOf('course', 'grader') },
  ({ actor, params, input }) =>
    addAttempt(actor, { courseId: params.id, userId: params.user, lessonId: params.lesson }, input),
);
