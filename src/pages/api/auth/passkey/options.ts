import { setChallengeCookie } from '#src/features/account/second-factor/challenges.server.ts';
import { passkeyLoginOptions } from '#src/features/account/second-factor/schema.ts';
import { requestPasskeySignIn } from '#src/features/account/second-factor/second-step.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

// Nobody says who they are here, so that nothing can be learned about anybody.
export const POST = endpoint(
  passkeyLoginOptions,
  { access: 'public', limit: 'passkey-options' },
  async ({ cookies }) => {
    const { challengeSecret, options } = await requestPasskeySignIn();
    setChallengeCookie(cookies, 'passkey_sign_in', challengeSecret);
    return options;
  },
);
