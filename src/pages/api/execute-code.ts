import { executeCode } from '#src/features/practice/run-code.server.ts';
import { executeCodeCall } from '#src/features/practice/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(executeCodeCall, { access: 'user', limit: 'execute-code' }, ({ user, input }) =>
  executeCode(user, input),
);
