import { deleteAccount } from '#src/features/account/schema.ts';
import { clearSessionCookie } from '#src/features/account/session.server.ts';
import { deleteOwnAccount } from '#src/features/admin/people/personal-data.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const DELETE = endpoint(deleteAccount, { access: 'user' }, async ({ user, signInId, cookies }) => {
  const answer = await deleteOwnAccount(user.id, signInId);
  clearSessionCookie(cookies);
  return answer;
});
