import { endUserSessions } from '#src/features/account/schema.ts';
import { endSignIns } from '#src/features/admin/people/people.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const DELETE = endpoint(endUserSessions, { access: 'admin' }, ({ user, signInId, params }) =>
  endSignIns(
    { id: user.id, name: user.username },
    params.id,
    // Whoever looks at their own page stays where they are.
    params.id === user.id ? (signInId ?? undefined) : undefined,
  ),
);
