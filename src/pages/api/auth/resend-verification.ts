import { resendVerification } from '#src/features/account/schema.ts';
import { resendVerificationLink } from '#src/features/account/verification.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  resendVerification,
  { access: 'user', limit: { name: 'resend-verification', points: 3, seconds: 3600, by: 'user' } },
  async ({ user }) => {
    await resendVerificationLink(user.id);
    return { message: `We sent a new verification link to ${user.email}.` };
  },
);
