import { requestPasswordReset } from '#src/features/account/password/password-reset.server.ts';
import { FORGOT_PASSWORD_ANSWER, forgotPassword } from '#src/features/account/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  forgotPassword,
  { access: 'public', limit: 'forgot-password' },
  async ({ input }) => {
    await requestPasswordReset(input.email);
    return { message: FORGOT_PASSWORD_ANSWER };
  },
);
