import { sendAgainCall } from '#src/features/organisations/webhooks/schema.ts';
import { sendAgain } from '#src/features/organisations/webhooks/webhooks.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(sendAgainCall, { access: 'user', limit: 'webhooks' }, ({ user, params }) =>
  sendAgain(user.id, params.id, params.delivery),
);
