import { setChallengeCookie } from '#src/features/account/second-factor/challenges.server.ts';
import { beginPasskey } from '#src/features/account/second-factor/manage.server.ts';
import { newPasskeyOptions } from '#src/features/account/second-factor/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(newPasskeyOptions, { access: 'user' }, async ({ user, signInId, cookies }) => {
  const { challengeSecret, options } = await beginPasskey({ userId: user.id, signInId });
  setChallengeCookie(cookies, 'add_passkey', challengeSecret);
  return options;
});
