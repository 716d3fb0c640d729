import { resendVerification } from '#src/features/account/schema.ts';
import { resendVerificationLink } from '#src/features/account/email/verification.server.ts';
import { boughtUnder } from '#src/features/store/guests/claims.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  resendVerification,
  { access: 'user', limit: 'resend-verification' },
  async ({ user }) => {
    await resendVerificationLink(user.id, boughtUnder);
    return { message: `We sent a new verification link to ${user.email}.` };
  },
);
