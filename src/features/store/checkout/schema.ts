import { z } from 'zod';
import { contract } from '#src/shared/contract.ts';
import { mailbox } from '#src/shared/fields.ts';
import { nameLine } from '#src/shared/names.ts';
import { amountToCents } from '#src/features/store/cart/cart.ts';
import { thing, onlyOne } from '#src/features/store/cart/schema.ts';
import { couponCode } from '#src/features/store/coupons/schema.ts';

/** Something about the cart that the buyer should know: a dropped line or a changed price. */
export const noticeModel = z.object({
  courseId: z.number(),
  reason: z.enum(['hidden', 'owned', 'price']),
  message: z.string(),
});

export type Notice = z.output<typeof noticeModel>;

const WRONG_AMOUNT = 'The amount must be a sum of dollars and cents';

/** What a page shows as total, in dollars; in cents after parsing. Only compared with the server's sum (decision 15). */
export const shownAmount = z
  .union([z.number({ error: WRONG_AMOUNT }), z.string({ error: WRONG_AMOUNT }).max(40, WRONG_AMOUNT)], {
    error: WRONG_AMOUNT,
  })
  .transform((amount, context) => {
    const cents = amountToCents(amount);
    if (cents !== null) return cents;
    context.addIssue({ code: 'custom', message: WRONG_AMOUNT });
    return z.NEVER;
  });

/** `POST /api/create-payment-intent`: begins the payment of the cart. */
export const createPaymentIntentCall = contract({
  method: 'POST',
  path: '/api/create-payment-intent',
  input: z.object({ amount: shownAmount, couponCode: couponCode.optional() }),
  output: z.object({
    /** Null where there is nothing to pay with a card: free, paid already, or still processing. */
    clientSecret: z.string().nullable(),
    orderId: z.number(),
    status: z.enum(['open', 'processing', 'completed']),
    /** What the order costs, as a decimal string. */
    total: z.string(),
    free: z.literal(true).optional(),
    notices: z.array(noticeModel).optional(),
  }),
});

export type Checkout = z.output<typeof createPaymentIntentCall.output>;

export const intentId = z
  .string({ error: 'paymentIntentId must be text' })
  .regex(/^pi_[A-Za-z0-9_]{1,200}$/, 'paymentIntentId is not the id of a payment');

export const clientSecret = z
  .string({ error: 'clientSecret must be text' })
  .regex(/^pi_[A-Za-z0-9_]{1,300}$/, 'clientSecret is not the secret of a payment');

/** `POST /api/confirm-payment` */
export const confirmPaymentCall = contract({
  method: 'POST',
  path: '/api/confirm-payment',
  input: z.object({ paymentIntentId: intentId }),
  output: z.object({
    success: z.literal(true),
    orderId: z.number(),
    invoiceNumber: z.string().nullable(),
    courseIds: z.array(z.number()),
  }),
});

/** Characters of a first or last name at most. */
export const NAME_MAX = 80;

/** The buyer of a direct purchase; all three are required (spec 5). */
export const buyerDetails = z.object({
  firstName: nameLine('First name', { max: NAME_MAX }),
  lastName: nameLine('Last name', { max: NAME_MAX }),
  email: mailbox(),
});

export type BuyerDetails = z.output<typeof buyerDetails>;

/**
 * `POST /api/create-direct-payment`: begins the payment of one course or one bundle, signed in or as guest. `buyer` is needed for a
 * free course, which is bought by this very call.
 */
export const createDirectPaymentCall = contract({
  method: 'POST',
  path: '/api/create-direct-payment',
  input: z
    .object({
      ...thing,
      amount: shownAmount,
      couponCode: couponCode.optional(),
      buyer: buyerDetails.optional(),
    })
    .superRefine(onlyOne),
  output: createPaymentIntentCall.output.extend({
    /** Whether the order belongs to the caller's account or to a guest. */
    buyer: z.enum(['account', 'guest']),
  }),
});

/** `POST /api/save-direct-buyer`: writes the buyer's name and email on the order before it is paid (decision 25). */
export const saveDirectBuyerCall = contract({
  method: 'POST',
  path: '/api/save-direct-buyer',
  input: buyerDetails.extend({
    paymentIntentId: intentId,
    clientSecret: clientSecret.optional(),
  }),
  output: buyerDetails,
});
