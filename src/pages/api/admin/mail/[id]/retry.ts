import { retryMail } from '#src/features/admin/operations/mail-outbox.server.ts';
import { retryMailCall } from '#src/features/admin/operations/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(retryMailCall, { access: 'admin' }, ({ actor, params }) =>
  retryMail(actor, params.id),
);
