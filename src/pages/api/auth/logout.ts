import { logout } from '#src/features/account/schema.ts';
import { clearSessionCookie, closePresented, presentedBy } from '#src/features/account/session.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

// Public: logging out twice, or after the session has ended, is no error.
export const POST = endpoint(logout, { access: 'public' }, async ({ request, cookies, status }) => {
  await closePresented(presentedBy(request, cookies));
  clearSessionCookie(cookies);
  status(204);
  return undefined;
});
