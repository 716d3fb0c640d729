import { z } from 'zod';
import { ORDER_STATUSES } from '#src/features/store/schema.ts';
import { contract } from '#src/shared/contract.ts';
import { REASON_MAX, id, idInPath, line, text } from '#src/shared/fields.ts';

/** What an administrator is told of what happened. */
const told = z.object({ message: z.string() });

const orderParams = z.object({ id: idInPath('Order') });
/** `POST /api/admin/orders/{id}/refund`: pays one line back (decision 21). */
export const refundLineCall = contract({
  method: 'POST',
  path: '/api/admin/orders/{id}/refund',
  params: orderParams,
  input: z.object({ itemId: id('itemId'), reason: line('Reason', { max: REASON_MAX }) }),
  output: told,
});

/** `POST /api/admin/orders/{id}/resend-refund`: sends a refund again that the provider does not know. */
export const resendRefundCall = contract({
  method: 'POST',
  path: '/api/admin/orders/{id}/resend-refund',
  params: orderParams,
  input: z.object({ refundId: id('refundId') }),
  output: told,
});

/** `POST /api/admin/orders/{id}/receipt`: mails the receipt again. */
export const resendReceiptCall = contract({
  method: 'POST',
  path: '/api/admin/orders/{id}/receipt',
  params: orderParams,
  output: told,
});

/** `POST /api/admin/orders/{id}/reconcile`: asks the provider and follows what it says (decision 18). */
export const reconcileOrderCall = contract({
  method: 'POST',
  path: '/api/admin/orders/{id}/reconcile',
  params: orderParams,
  output: told.extend({
    /** False where the money is not there or does not fit the order. */
    settled: z.boolean(),
    status: z.enum(ORDER_STATUSES),
  }),
});

/** `POST /api/admin/orders/{id}/settle-flag`: takes the mark for attention off. `flag` is what was read. */
export const settleFlagCall = contract({
  method: 'POST',
  path: '/api/admin/orders/{id}/settle-flag',
  params: orderParams,
  input: z.object({
    flag: text('Flag', { max: 10_000 }),
    note: line('Note', { max: REASON_MAX }),
  }),
  output: told,
});
