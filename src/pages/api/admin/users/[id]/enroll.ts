import { enrollByHand } from '#src/features/admin/people/people.server.ts';
import { enrollUserCall } from '#src/features/admin/people/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(enrollUserCall, { access: 'admin' }, ({ actor, params, input }) =>
  enrollByHand(actor, params.id, input),
);
