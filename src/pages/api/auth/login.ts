import { signInWithPassword } from '#src/features/account/account.server.ts';
import { login } from '#src/features/account/schema.ts';
import { setChallengeCookie } from '#src/features/account/second-factor/challenges.server.ts';
import { secondFactorRequired } from '#src/features/account/second-factor/schema.ts';
import { presentedBy, setSessionCookie } from '#src/features/account/session.server.ts';
import { endpoint } from '#src/server/endpoint.ts';
import { AppError } from '#src/shared/errors.ts';

// What fails is counted with the passwords; this bounds the work that right ones make.
export const POST = endpoint(
  login,
  { access: 'public', limit: 'login' },
  async ({ input, ip, request, cookies }) => {
    const outcome = await signInWithPassword(input, {
      ip,
      userAgent: request.headers.get('user-agent'),
      presented: presentedBy(request, cookies),
    });
    if (outcome.kind === 'second-factor') {
      setChallengeCookie(cookies, 'second_factor', outcome.challengeSecret);
      throw new AppError('second_factor_required', 'Confirm the sign-in with your second factor.', {
        extra: secondFactorRequired.parse(outcome),
      });
    }
    setSessionCookie(cookies, outcome.signIn.cookieSecret);
    return { token: outcome.signIn.token, user: outcome.user };
  },
);
