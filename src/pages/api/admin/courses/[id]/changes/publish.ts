import { publishChanges } from '#src/features/authoring/publishing/publish-check.server.ts';
import { publishChangesCall } from '#src/features/authoring/publishing/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  publishChangesCall,
  { access: 'admin', limit: 'publish-check' },
  async ({ actor, params, input, status }) => {
    status(202);
    return publishChanges(actor, params.id, input);
  },
);
