import { unenrollByHand } from '#src/features/admin/people/people.server.ts';
import { unenrollUserCall } from '#src/features/admin/people/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(unenrollUserCall, { access: 'admin' }, ({ actor, params, input }) =>
  unenrollByHand(actor, params.id, input.courseId, input.reason),
);
