import { z } from 'zod';
import { publicUser } from '#src/features/account/schema.ts';
import { contract } from '#src/shared/contract.ts';
import { email, idInPath, mailbox, password } from '#src/shared/fields.ts';
import { nameLine } from '#src/shared/names.ts';
import { intentId, clientSecret, NAME_MAX } from '#src/features/store/checkout/schema.ts';

const signedIn = z.object({ token: z.string(), user: publicUser });

const claimResult = z.discriminatedUnion('status', [
  /** Signed in; `courseIds` are empty while the mailed link has to be opened first. */
  signedIn.extend({ status: z.literal('created'), message: z.string(), courseIds: z.array(z.number()) }),
  z.object({ status: z.literal('attached'), message: z.string(), courseIds: z.array(z.number()) }),
  z.object({ status: z.literal('mailed'), message: z.string() }),
]);

export type ClaimResult = z.output<typeof claimResult>;

/** The provider appends both to the return address (decision 25). */
const paymentProof = { paymentIntentId: intentId.optional(), clientSecret: clientSecret.optional() };

/** The body's name and email count only where the purchase has none. */
export const createAccountAfterPurchaseCall = contract({
  method: 'POST',
  path: '/api/create-account-after-purchase',
  input: z.object({
    email: mailbox(),
    firstName: nameLine('First name', { min: 0, max: NAME_MAX }).default(''),
    lastName: nameLine('Last name', { min: 0, max: NAME_MAX }).default(''),
    password: password(),
    ...paymentProof,
  }),
  output: claimResult,
});

export const CLAIM_LINK_FAILED = 'This link is invalid or has expired.';

const claimToken = z.string({ error: 'token must be text' }).regex(/^[\w-]{20,100}$/, CLAIM_LINK_FAILED);

/**
 * Proof is the mailed token, the payment's secret or the claim cookie. `password` is needed with a token of an
 * address without a verified account.
 */
export const claimPurchaseCall = contract({
  method: 'POST',
  path: '/api/claim-purchase',
  input: z.object({ token: claimToken.optional(), password: password().optional(), ...paymentProof }),
  output: claimResult,
});

export const requestClaimLinkCall = contract({
  method: 'POST',
  path: '/api/request-claim-link',
  input: z.object({ email: email() }),
  output: z.object({ message: z.string() }),
});

/** Decision 26. */
export const resendClaimLinkCall = contract({
  method: 'POST',
  path: '/api/admin/orders/{id}/claim-link',
  params: z.object({ id: idInPath('Order') }),
  output: z.object({ message: z.string() }),
});
