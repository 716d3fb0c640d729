import { recordActivity } from '#src/features/learn/progress/activity.server.ts';
import { recordActivityCall } from '#src/features/learn/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(recordActivityCall, { access: 'user' }, ({ user, params, input }) =>
  recordActivity(user.id, params.id, input),
);
