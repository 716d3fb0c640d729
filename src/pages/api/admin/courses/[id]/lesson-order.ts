import { orderLessons } from '#src/features/authoring/lesson-editor/lessons.server.ts';
import { orderLessonsCall } from '#src/features/authoring/lesson-editor/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const PUT = endpoint(orderLessonsCall, { access: 'admin' }, ({ actor, params, input }) =>
  orderLessons(actor, params.id, input),
);
