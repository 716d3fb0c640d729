import { hidePrograms } from '#src/features/practice/compare/programs-seen.server.ts';
import { hideProgramsCall } from '#src/features/practice/compare/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const PUT = endpoint(hideProgramsCall, { access: 'user' }, ({ user, input }) =>
  hidePrograms(user.id, input.hidden),
);
