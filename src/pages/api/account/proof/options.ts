import { setChallengeCookie } from '#src/features/account/second-factor/challenges.server.ts';
import { proofOptions } from '#src/features/account/second-factor/schema.ts';
import { requestPasskeyProof } from '#src/features/account/second-factor/second-step.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  proofOptions,
  { access: 'user', limit: 'proof-options' },
  async ({ user, signInId, cookies }) => {
    const asked = await requestPasskeyProof(user.id, signInId!);
    if (!asked) return null;
    setChallengeCookie(cookies, 'proof', asked.challengeSecret);
    return asked.options;
  },
);
