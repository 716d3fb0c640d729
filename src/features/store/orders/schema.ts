import { z } from 'zod';
import { contract } from '#src/shared/contract.ts';
import { filled, idInPath, REASON_MAX, text } from '#src/shared/fields.ts';

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

const orderModel = z.object({
  id: z.number(),
  createdAt: z.string(),
  completedAt: z.string().nullable(),
  total: z.string(),
  refunded: z.string(),
  status: z.enum(ORDER_STATUSES),
  invoiceNumber: z.string().nullable(),
  items: z.array(
    z.object({
      courseId: z.number(),
      title: z.string(),
      bundle: z.string().nullable(),
      price: z.string(),
      refundedAt: z.string().nullable(),
    }),
  ),
});

export type OrderModel = z.output<typeof orderModel>;

export const listOrdersCall = contract({
  method: 'GET',
  path: '/api/orders',
  output: z.array(orderModel),
});

export const askRefundCall = contract({
  method: 'POST',
  path: '/api/orders/{id}/refund-request',
  params: z.object({ id: idInPath('Order') }),
  /** Of a guest's order link. */
  query: z.object({ token: z.string().optional() }),
  input: z.object({ reason: filled(text('Reason', { min: 0, max: REASON_MAX })) }),
  output: z.object({ message: z.string() }),
});
