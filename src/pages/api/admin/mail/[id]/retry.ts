import { retryMail } from '#src/features/admin/mail-outbox.server.ts';
import { retryMailCall } from '#src/features/admin/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(retryMailCall, { access: 'admin' }, ({ user, params }) =>
  retryMail({ id: user.id, name: user.username }, params.id),
);
