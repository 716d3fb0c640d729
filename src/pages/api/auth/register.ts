import { registerAccount } from '#src/features/account/account.server.ts';
import { ADMIN_REQUEST_NOTICE, register } from '#src/features/account/schema.ts';
import { presentedBy, setSessionCookie } from '#src/features/account/session.server.ts';
import { invitedBy } from '#src/features/organisations/seats/join.server.ts';
import { attachGuestPurchases } from '#src/features/store/guests/claims.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  register,
  { access: 'public' },
  async ({ input, ip, request, cookies, status }) => {
    const userAgent = request.headers.get('user-agent');
    const isProven = (await invitedBy(`/join?token=${input.invitation}`))?.email === input.email;
    const { signIn, user, adminRequest } = await registerAccount(
      input,
      { ip, userAgent, presented: presentedBy(request, cookies) },
      isProven ? attachGuestPurchases : undefined,
    );
    setSessionCookie(cookies, signIn.cookieSecret);
    status(201);
    const message = adminRequest ? ADMIN_REQUEST_NOTICE : 'Your account is ready.';
    return { token: signIn.token, user, adminRequest, message };
  },
);
