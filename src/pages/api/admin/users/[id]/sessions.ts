import { endUserSessions } from '#src/features/account/schema.ts';
import { endSignIns } from '#src/features/admin/people/people.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const DELETE = endpoint(endUserSessions, { access: 'admin' }, ({ user, actor, signInId, params }) =>
  endSignIns(
    actor,
    params.id,
    // Whoever looks at their own page stays where they are.
    params.id === user.id ? (signInId ?? undefined) : undefined,
  ),
);
