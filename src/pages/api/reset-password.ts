import { resetPasswordWithToken } from '#src/features/account/password/password-reset.server.ts';
import { resetPassword } from '#src/features/account/schema.ts';
import { attachGuestPurchases } from '#src/features/store/guests/claims.server.ts';
import { retryOnConflict } from '#src/server/database-errors.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  resetPassword,
  { access: 'public', limit: 'reset-password' },
  async ({ input }) => {
    // Purchases made as guest under the address come along (decision 13).
    await retryOnConflict(() => resetPasswordWithToken(input, attachGuestPurchases));
    return { message: 'Your password has been changed. Sign in with the new one.' };
  },
);
