import { regrade } from '#src/features/admin/grading/cell.server.ts';
import { regradeCall } from '#src/features/admin/grading/schema.ts';
import { staffOf } from '#src/features/authoring/staff/course-access.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  regradeCall,
  { access: staffOf('course', 'grader') },
  ({ actor, params, input }) =>
    regrade(actor, { courseId: params.id, userId: params.user, lessonId: params.lesson }, input),
);
