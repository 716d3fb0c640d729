import { requestEmailChange } from '#src/features/account/email/email-change.server.ts';
import { changeEmail } from '#src/features/account/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  changeEmail,
  { access: 'user', limit: 'change-email' },
  ({ user, signInId, input }) => requestEmailChange(user.id, signInId, input.email),
);
