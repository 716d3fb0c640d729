import { playPreview } from '#src/features/scenario/play/preview.server.ts';
import { playPreviewCall } from '#src/features/scenario/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  playPreviewCall,
  { access: 'public', limit: 'scenario-preview' },
  ({ params, input }) => playPreview(params.id, input.actions),
);
