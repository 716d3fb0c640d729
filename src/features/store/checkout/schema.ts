import { z } from 'zod';
import { contract } from '#src/shared/contract.ts';
import { mailbox } from '#src/shared/fields.ts';
import { nameLine } from '#src/shared/names.ts';
import { amountToCents } from '#src/features/store/cart/cart.ts';
import { thing, onlyOne } from '#src/features/store/cart/schema.ts';
import { couponCode } from '#src/features/store/coupons/schema.ts';

const noticeModel = z.object({
  courseId: z.number(),
  reason: z.enum(['hidden', 'owned', 'later', 'price']),
  message: z.string(),
});

export type Notice = z.output<typeof noticeModel>;

const WRONG_AMOUNT = 'The amount must be a sum of dollars and cents';

/** In dollars, in cents after parsing; only compared with the server's sum (decision 15). */
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

export const createPaymentIntentCall = contract({
  method: 'POST',
  path: '/api/create-payment-intent',
  input: z.object({ amount: shownAmount, couponCode: couponCode.optional() }),
  output: z.object({
    /** Null where no card is needed: free, paid or processing. */
    clientSecret: z.string().nullable(),
    orderId: z.number(),
    status: z.enum(['open', 'processing', 'completed']),
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

export const NAME_MAX = 80;

/** All three are required (spec 5). */
export const buyerDetails = z.object({
  firstName: nameLine('First name', { max: NAME_MAX }),
  lastName: nameLine('Last name', { max: NAME_MAX }),
  email: mailbox(),
});

export type BuyerDetails = z.output<typeof buyerDetails>;

/** `buyer` is needed for a guest's free course, which this call completes. */
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
    buyer: z.enum(['account', 'guest']),
  }),
});

/** Before the payment (decision 25). */
export const saveDirectBuyerCall = contract({
  method: 'POST',
  path: '/api/save-direct-buyer',
  input: buyerDetails.extend({
    paymentIntentId: intentId,
    clientSecret: clientSecret.optional(),
  }),
  output: buyerDetails,
});
