import { replay } from '#src/features/practice/replay/replay.server.ts';
import { replayCall } from '#src/features/practice/replay/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  replayCall,
  { access: 'public', limit: 'replay' },
  ({ user, params, input, ip }) => replay(user, params.id, input, ip),
);
