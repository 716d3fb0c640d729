import { answerRecall } from '#src/features/learn/recall/recall.server.ts';
import { answerRecallCall } from '#src/features/learn/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(answerRecallCall, { access: 'user' }, ({ user, params, input }) =>
  answerRecall(user.id, params.id, input.version, input),
);
