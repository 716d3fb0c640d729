import { z } from 'zod';
import { contract } from '#src/shared/contract.ts';
import { email, id, idInPath, line } from '#src/shared/fields.ts';
import { nameLine } from '#src/shared/names.ts';
import { UNION } from '#src/features/store/withdrawals/withdrawals.ts';
import { NAME_MAX } from '#src/features/store/checkout/schema.ts';

/**
 * What shows whose contract it is: the reference of the receipt, the token of a mailed link, or the number of an order that
 * the caller's own account has.
 */
const withdrawalProof = {
  reference: z
    .string({ error: 'Reference must be text' })
    .trim()
    .toLowerCase()
    .regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'Copy the whole reference from your receipt')
    .optional(),
  token: z
    .string({ error: 'token must be text' })
    .regex(/^[\w-]{20,100}$/, 'This link is invalid or has expired.')
    .optional(),
  orderId: id('Order number').optional(),
};

/** For every mailed link that does not work. */
export const WITHDRAWAL_LINK_FAILED = 'This link is invalid or has expired.';

/**
 * `POST /api/withdrawals/look-up`: the lines that one may withdraw from. With number and email alone, which others may
 * know, a link is mailed to the order's address, and the answer is the same where there is no such order.
 */
export const lookUpWithdrawalCall = contract({
  method: 'POST',
  path: '/api/withdrawals/look-up',
  input: z.object({ ...withdrawalProof, email: email().optional() }),
  output: z.discriminatedUnion('state', [
    z.object({ state: z.literal('mailed'), message: z.string() }),
    z.object({
      state: z.literal('found'),
      orderId: z.number(),
      lines: z.array(
        z.object({
          itemId: z.number(),
          title: z.string(),
          price: z.string(),
          state: z.enum(['free', 'paid_back', 'open', 'granted', 'accepted', 'declined']).nullable(),
        }),
      ),
      /** The end of the last day on which a withdrawal is granted at once. */
      until: z.string(),
    }),
  ]),
});

/** `POST /api/withdrawals`: withdraws from lines; the same again changes nothing. */
export const withdrawCall = contract({
  method: 'POST',
  path: '/api/withdrawals',
  input: z.object({
    ...withdrawalProof,
    name: nameLine('Name', { max: NAME_MAX * 2 }),
    country: z.enum(UNION, { error: 'Choose the country you live in' }),
    itemIds: z
      .array(id('Course'), { error: 'Choose what you withdraw from' })
      .min(1, 'Choose what you withdraw from')
      .max(200, 'Choose at most 200 courses'),
  }),
  output: z.object({
    message: z.string(),
    madeAt: z.string(),
    state: z.enum(['granted', 'open', 'decided']),
  }),
});

/** `POST /api/admin/withdrawals/{id}`: an administrator decides a withdrawal in doubt. */
export const decideWithdrawalCall = contract({
  method: 'POST',
  path: '/api/admin/withdrawals/{id}',
  params: z.object({ id: idInPath('Withdrawal') }),
  input: z.discriminatedUnion(
    'decision',
    [
      z.object({ decision: z.literal('accept') }),
      z.object({ decision: z.literal('decline'), reason: line('Reason', { max: 500 }) }),
    ],
    { error: 'Decision must be accept or decline' },
  ),
  output: z.object({ message: z.string() }),
});
