import { putOffRecall } from '#src/features/learn/recall/recall.server.ts';
import { putOffRecallCall } from '#src/features/learn/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(putOffRecallCall, { access: 'user' }, ({ user, params, input }) =>
  putOffRecall(user.id, params.id, input.version, input.until),
);
