import {
  challengeSecret,
  clearChallengeCookie,
} from '#src/features/account/second-factor/challenges.server.ts';
import { passkeyLogin } from '#src/features/account/second-factor/schema.ts';
import { signInWithPasskey } from '#src/features/account/second-factor/second-step.server.ts';
import { presentedBy, setSessionCookie } from '#src/features/account/session.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  passkeyLogin,
  { access: 'public', limit: 'second-factor' },
  async ({ input, ip, request, cookies }) => {
    const secret = challengeSecret(cookies, 'passkey_sign_in');
    const { signIn, user } = await signInWithPasskey(input.passkey, secret, {
      ip,
      userAgent: request.headers.get('user-agent'),
      presented: presentedBy(request, cookies),
    });
    clearChallengeCookie(cookies, 'passkey_sign_in');
    setSessionCookie(cookies, signIn.cookieSecret);
    return { token: signIn.token, user };
  },
);
