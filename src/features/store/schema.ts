import { z } from 'zod';
import { courseModel } from '#src/features/catalogue/schema.ts';
import { contract } from '#src/shared/contract.ts';
import { id, idInPath } from '#src/shared/fields.ts';
import { amountToCents } from './cart.ts';

/** A line of the cart with its course (spec 3). */
export const cartLineModel = z.object({
  id: z.number(),
  userId: z.number(),
  courseId: z.number(),
  addedAt: z.string(),
  /** Why the line cannot be bought any more; null for a line that can (decision 24). */
  unavailable: z.enum(['hidden', 'owned']).nullable(),
  course: courseModel,
});
export type CartLine = z.output<typeof cartLineModel>;

/** `GET /api/cart` */
export const listCartCall = contract({
  method: 'GET',
  path: '/api/cart',
  output: z.array(cartLineModel),
});

/** `POST /api/cart`: answers the line, an existing one too (decision 24). */
export const addToCartCall = contract({
  method: 'POST',
  path: '/api/cart',
  input: z.object({ courseId: id('Course id') }),
  output: cartLineModel,
});

/** `DELETE /api/cart/{courseId}`: removing what is not there is no error. */
export const removeFromCartCall = contract({
  method: 'DELETE',
  path: '/api/cart/{courseId}',
  params: z.object({ courseId: idInPath('Course id') }),
  output: z.object({ success: z.literal(true) }),
});

/** Something about the cart that the buyer should know: a dropped line or a changed price. */
export const noticeModel = z.object({
  courseId: z.number(),
  reason: z.enum(['hidden', 'owned', 'price']),
  message: z.string(),
});
export type Notice = z.output<typeof noticeModel>;

const WRONG_AMOUNT = 'The amount must be a sum of dollars and cents';

/** `POST /api/create-payment-intent`: `amount` is only compared with the server's total (decision 15). */
export const createPaymentIntentCall = contract({
  method: 'POST',
  path: '/api/create-payment-intent',
  input: z.object({
    /** In cents after parsing. */
    amount: z
      .union([z.number({ error: WRONG_AMOUNT }), z.string({ error: WRONG_AMOUNT }).max(40, WRONG_AMOUNT)], {
        error: WRONG_AMOUNT,
      })
      .transform((amount, context) => {
        const cents = amountToCents(amount);
        if (cents !== null) return cents;
        context.addIssue({ code: 'custom', message: WRONG_AMOUNT });
        return z.NEVER;
      }),
  }),
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

/** `POST /api/confirm-payment` */
export const confirmPaymentCall = contract({
  method: 'POST',
  path: '/api/confirm-payment',
  input: z.object({
    paymentIntentId: z
      .string({ error: 'paymentIntentId must be text' })
      .regex(/^pi_[A-Za-z0-9_]{1,200}$/, 'paymentIntentId is not the id of a payment'),
  }),
  output: z.object({
    success: z.literal(true),
    orderId: z.number(),
    invoiceNumber: z.string().nullable(),
    courseIds: z.array(z.number()),
  }),
});

export const ORDER_STATUSES = [
  'pending',
  'processing',
  'completed',
  'failed',
  'expired',
  'partially_refunded',
  'refunded',
  'disputed',
] as const;

/** An order in its buyer's list. */
export const orderModel = z.object({
  id: z.number(),
  createdAt: z.string(),
  completedAt: z.string().nullable(),
  /** Decimal strings of US dollars. */
  total: z.string(),
  refunded: z.string(),
  status: z.enum(ORDER_STATUSES),
  invoiceNumber: z.string().nullable(),
  items: z.array(
    z.object({
      courseId: z.number(),
      title: z.string(),
      price: z.string(),
      refundedAt: z.string().nullable(),
    }),
  ),
});
export type OrderModel = z.output<typeof orderModel>;

/** `GET /api/orders`: the caller's own, newest first. */
export const listOrdersCall = contract({
  method: 'GET',
  path: '/api/orders',
  output: z.array(orderModel),
});
