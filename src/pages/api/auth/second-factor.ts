import {
  challengeSecret,
  clearChallengeCookie,
} from '#src/features/account/second-factor/challenges.server.ts';
import { completeLogin } from '#src/features/account/second-factor/schema.ts';
import { completeSignIn } from '#src/features/account/second-factor/second-step.server.ts';
import { presentedBy, setSessionCookie } from '#src/features/account/session.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  completeLogin,
  { access: 'public', limit: 'second-factor' },
  async ({ input, ip, request, cookies }) => {
    const { signIn, user } = await completeSignIn(input, challengeSecret(cookies, 'second_factor'), {
      ip,
      userAgent: request.headers.get('user-agent'),
      presented: presentedBy(request, cookies),
    });
    clearChallengeCookie(cookies, 'second_factor');
    setSessionCookie(cookies, signIn.cookieSecret);
    return { token: signIn.token, user };
  },
);
