import { addWebhookCall } from '#src/features/organisations/webhooks/schema.ts';
import { addWebhook } from '#src/features/organisations/webhooks/webhooks.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  addWebhookCall,
  { access: 'user', limit: 'webhooks' },
  async ({ user, params, input, status }) => {
    const made = await addWebhook(user, params.id, input);
    status(201);
    return made;
  },
);
