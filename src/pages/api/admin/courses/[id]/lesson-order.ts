import { orderLessons } from '#src/features/authoring/lesson-editor/lessons.server.ts';
import { orderLessonsCall } from '#src/features/authoring/lesson-editor/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const PUT = endpoint(orderLessonsCall, { access: 'admin' }, ({ user, params, input }) =>
  orderLessons({ id: user.id, name: user.username }, params.id, input),
);
