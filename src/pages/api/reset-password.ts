import { resetPasswordWithToken } from '#src/features/account/password-reset.server.ts';
import { resetPassword } from '#src/features/account/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  resetPassword,
  { access: 'public', limit: { name: 'reset-password', points: 20, seconds: 600 } },
  async ({ input }) => {
    await resetPasswordWithToken(input);
    return { message: 'Your password has been changed. Sign in with the new one.' };
  },
);
