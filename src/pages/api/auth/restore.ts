import { restoreSignIn } from '#src/features/account/schema.ts';
import { presentedBy, restoreMissingHalf, setSessionCookie } from '#src/features/account/session.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  restoreSignIn,
  { access: 'user', limit: 'restore-sign-in' },
  async ({ user, request, cookies }) => {
    const { token, cookieSecret } = await restoreMissingHalf(presentedBy(request, cookies));
    if (cookieSecret) setSessionCookie(cookies, cookieSecret);
    return { token, user };
  },
);
