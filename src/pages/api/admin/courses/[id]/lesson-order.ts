import { orderLessons } from '#src/features/admin/lessons.server.ts';
import { orderLessonsCall } from '#src/features/admin/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const PUT = endpoint(orderLessonsCall, { access: 'admin' }, ({ user, params, input }) =>
  orderLessons({ id: user.id, name: user.username }, params.id, input),
);
