import { recordTransferCall } from '#src/features/admin/orders/schema.ts';
import { recordTransfer } from '#src/features/store/bank/bank-orders.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  recordTransferCall,
  { access: 'admin' },
  ({ actor, params, input: { amount: amountCents, day: bookedOn, ...transfer } }) =>
    recordTransfer(actor, params.id, { ...transfer, amountCents, bookedOn }),
);
