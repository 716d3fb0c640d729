import { me } from '#src/features/account/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const GET = endpoint(me, { access: 'user' }, async ({ user }) => ({ user }));
