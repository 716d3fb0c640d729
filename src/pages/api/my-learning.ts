import { countWaiting } from '#src/features/learn/dashboard/waiting.server.ts';
import { countWaitingCall } from '#src/features/learn/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const GET = endpoint(countWaitingCall, { access: 'user' }, ({ user }) => countWaiting(user.id));
