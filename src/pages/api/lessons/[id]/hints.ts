import { recordHints } from '#src/features/practice/submissions.server.ts';
import { revealHintCall } from '#src/features/practice/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  revealHintCall,
  { access: 'user', limit: 'hints' },
  async ({ user, params, input }) => ({ hintsUsed: await recordHints(user, params.id, input.shown ?? 0) }),
);
