import { countWaiting } from '#src/features/learn/dashboard/waiting.server.ts';
import { countWaitingCall } from '#src/features/learn/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const GET = endpoint(countWaitingCall, { access: 'user' }, async ({ user }) => ({
  ...(await countWaiting(user.id)),
  teaches: Object.keys(user.staff).length > 0,
}));
