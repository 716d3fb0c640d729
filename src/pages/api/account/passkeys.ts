import {
  challengeSecret,
  clearChallengeCookie,
} from '#src/features/account/second-factor/challenges.server.ts';
import { addPasskey } from '#src/features/account/second-factor/manage.server.ts';
import { newPasskey } from '#src/features/account/second-factor/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(newPasskey, { access: 'user' }, async ({ user, signInId, input, cookies }) => {
  const owner = { userId: user.id, signInId };
  const added = await addPasskey(owner, input, challengeSecret(cookies, 'add_passkey'));
  clearChallengeCookie(cookies, 'add_passkey');
  return added;
});
