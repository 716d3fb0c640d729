import { recordSentBackCall } from '#src/features/admin/orders/schema.ts';
import { recordSentBack } from '#src/features/store/bank/bank-orders.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  recordSentBackCall,
  { access: 'admin' },
  ({ actor, params, input: { amount: amountCents, day: bookedOn, reference } }) =>
    recordSentBack(actor, params.id, { amountCents, bookedOn, reference }),
);
