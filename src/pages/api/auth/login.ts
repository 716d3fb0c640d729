import { signInWithPassword } from '#src/features/account/account.server.ts';
import { login } from '#src/features/account/schema.ts';
import { presentedBy, setSessionCookie } from '#src/features/account/session.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  login,
  { access: 'public', limit: 'login' },
  async ({ input, ip, request, cookies }) => {
    const userAgent = request.headers.get('user-agent');
    const { signIn, user } = await signInWithPassword(input, {
      ip,
      userAgent,
      presented: presentedBy(request, cookies),
    });
    setSessionCookie(cookies, signIn.cookieSecret);
    return { token: signIn.token, user };
  },
);
