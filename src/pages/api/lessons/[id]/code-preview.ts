import { tryPreview } from '#src/features/practice/run-code.server.ts';
import { tryPreviewCall } from '#src/features/practice/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  tryPreviewCall,
  { access: 'public', limit: 'code-preview' },
  ({ params, input, ip }) => tryPreview(params.id, input.code, input.language, ip),
);
