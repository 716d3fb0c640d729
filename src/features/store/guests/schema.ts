import { z } from 'zod';
import { publicUser } from '#src/features/account/schema.ts';
import { contract } from '#src/shared/contract.ts';
import { email, idInPath, mailbox, password } from '#src/shared/fields.ts';
import { nameLine } from '#src/shared/names.ts';
import { intentId, clientSecret, NAME_MAX } from '#src/features/store/checkout/schema.ts';

const signedIn = z.object({ token: z.string(), user: publicUser });

/** What came of claiming a guest's purchase. */
const claimResult = z.discriminatedUnion('status', [
  /**
   * The caller is signed in to an account that is theirs now. `courseIds` are in it; there are none while the mailed link
   * has to be opened first.
   */
  signedIn.extend({ status: z.literal('created'), message: z.string(), courseIds: z.array(z.number()) }),
  /** A verified account has it; nobody was signed in and no password was touched. */
  z.object({ status: z.literal('attached'), message: z.string(), courseIds: z.array(z.number()) }),
  /** Only the mailbox decides: whatever there is to claim is mailed to the address. */
  z.object({ status: z.literal('mailed'), message: z.string() }),
]);

export type ClaimResult = z.output<typeof claimResult>;

/** The payment with its secret, as the provider appends them to the return address (decision 25). */
const paymentProof = { paymentIntentId: intentId.optional(), clientSecret: clientSecret.optional() };

/**
 * `POST /api/create-account-after-purchase`: the purchase's own name and email count. The body's are for one that was paid
 * without any.
 */
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

/** For every reason why a mailed claim link does not work. */
export const CLAIM_LINK_FAILED = 'This link is invalid or has expired.';

const claimToken = z.string({ error: 'token must be text' }).regex(/^[\w-]{20,100}$/, CLAIM_LINK_FAILED);

/**
 * `POST /api/claim-purchase`: takes a guest's purchase into the caller's account, or into the account of the
 * purchase's address. Proof is a mailed link's token, the payment's secret or the claim cookie. `password` is needed
 * only with a token of an address that has no verified account.
 */
export const claimPurchaseCall = contract({
  method: 'POST',
  path: '/api/claim-purchase',
  input: z.object({ token: claimToken.optional(), password: password().optional(), ...paymentProof }),
  output: claimResult,
});

/** `POST /api/request-claim-link`: mails a new link; answers the same whether or not there is a purchase. */
export const requestClaimLinkCall = contract({
  method: 'POST',
  path: '/api/request-claim-link',
  input: z.object({ email: email() }),
  output: z.object({ message: z.string() }),
});

/** `POST /api/admin/orders/{id}/claim-link`: an administrator has the link mailed again (decision 26). */
export const resendClaimLinkCall = contract({
  method: 'POST',
  path: '/api/admin/orders/{id}/claim-link',
  params: z.object({ id: idInPath('Order') }),
  output: z.object({ message: z.string() }),
});
