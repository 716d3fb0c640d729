import { compare } from '#src/features/practice/compare/compare.server.ts';
import { compareCall } from '#src/features/practice/compare/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const GET = endpoint(compareCall, { access: 'user', limit: 'comparison' }, ({ user, params }) =>
  compare(user, params.id),
);
