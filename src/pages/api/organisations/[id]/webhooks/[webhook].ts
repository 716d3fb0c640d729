import { changeWebhookCall, deleteWebhookCall } from '#src/features/organisations/webhooks/schema.ts';
import { changeWebhook, deleteWebhook } from '#src/features/organisations/webhooks/webhooks.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const PUT = endpoint(
  changeWebhookCall,
  { access: 'user', limit: 'webhooks' },
  ({ user, params: { id, webhook }, input }) =>
    changeWebhook(user.id, { organisationId: id, webhookId: webhook }, input),
);

export const DELETE = endpoint(
  deleteWebhookCall,
  { access: 'user', limit: 'webhooks' },
  ({ user, params: { id, webhook } }) => deleteWebhook(user.id, { organisationId: id, webhookId: webhook }),
);
