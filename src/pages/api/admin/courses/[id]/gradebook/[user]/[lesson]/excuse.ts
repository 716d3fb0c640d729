import { setExcuse } from '#src/features/admin/grading/cell.server.ts';
import { excuseCall, withdrawExcuseCall } from '#src/features/admin/grading/schema.ts';
import { staffOf } from '#src/features/authoring/staff/course-access.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const PUT = endpoint(excuseCall, { access: staffOf('course', 'grader') }, ({ actor, params, input }) =>
  setExcuse(actor, { courseId: params.id, userId: params.user, lessonId: params.lesson }, input.reason),
);

export const DELETE = endpoint(
  withdrawExcuseCall,
  { access: staffOf('course', 'grader') },
  ({ actor, params }) =>
    setExcuse(actor, { courseId: params.id, userId: params.user, lessonId: params.lesson }, null),
);
