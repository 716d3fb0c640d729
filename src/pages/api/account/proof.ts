import {
  challengeSecret,
  clearChallengeCookie,
} from '#src/features/account/second-factor/challenges.server.ts';
import { giveProof } from '#src/features/account/second-factor/schema.ts';
import { prove } from '#src/features/account/second-factor/second-step.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  giveProof,
  { access: 'user' },
  async ({ user, signInId, input, ip, cookies }) => {
    await prove(user.id, signInId!, input, challengeSecret(cookies, 'proof'), ip);
    clearChallengeCookie(cookies, 'proof');
    return { message: 'Thank you.' };
  },
);
