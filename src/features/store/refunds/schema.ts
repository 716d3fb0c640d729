import { z } from 'zod';
import { contract } from '#src/shared/contract.ts';
import { filled, idInPath, REASON_MAX, text } from '#src/shared/fields.ts';

export const askRefundCall = contract({
  method: 'POST',
  path: '/api/orders/{id}/refund-request',
  params: z.object({ id: idInPath('Order') }),
  /** Of a guest's order link. */
  query: z.object({ token: z.string().optional() }),
  input: z.object({ reason: filled(text('Reason', { min: 0, max: REASON_MAX })) }),
  output: z.object({ message: z.string() }),
});
