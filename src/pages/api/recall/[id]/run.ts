import { runRecall } from '#src/features/practice/recall/run-recall.server.ts';
import { runRecallCall } from '#src/features/practice/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  runRecallCall,
  { access: 'user', limit: 'execute-code' },
  ({ user, params, input }) => runRecall(user, params.id, input),
);
