import { codeHint } from '#src/features/practice/run-code.server.ts';
import { codeHintCall } from '#src/features/practice/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  codeHintCall,
  { access: 'public', limit: 'code-hint' },
  async ({ user, params, input, ip }) => ({ hint: await codeHint(user, params.id, input, ip) }),
);
