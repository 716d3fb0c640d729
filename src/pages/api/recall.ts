import { readRecall } from '#src/features/learn/recall/recall.server.ts';
import { listRecallCall } from '#src/features/learn/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const GET = endpoint(listRecallCall, { access: 'user' }, ({ user }) => readRecall(user.id));
