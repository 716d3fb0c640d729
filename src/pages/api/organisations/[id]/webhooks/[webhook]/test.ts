import { testWebhookCall } from '#src/features/organisations/webhooks/schema.ts';
import { testWebhook } from '#src/features/organisations/webhooks/webhooks.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  testWebhookCall,
  { access: 'user', limit: 'webhooks' },
  ({ user, params: { id, webhook } }) => testWebhook(user.id, { organisationId: id, webhookId: webhook }),
);
