import { setExcuse } from '#src/features/admin/grading/cell.server.ts';
import { excuseCall, withdrawExcuseCall } from '#src/features/admin/grading/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const PUT = endpoint(excuseCall, { access: 'admin' }, ({ actor, params, input }) =>
  setExcuse(actor, { courseId: params.id, userId: params.user, lessonId: params.lesson }, input.reason),
);

export const DELETE = endpoint(withdrawExcuseCall, { access: 'admin' }, ({ actor, params }) =>
  setExcuse(actor, { courseId: params.id, userId: params.user, lessonId: params.lesson }, null),
);
