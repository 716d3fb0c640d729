import { z } from 'zod';
import { contract } from '#src/shared/contract.ts';
import { idInPath } from '#src/shared/fields.ts';
import { billingInput } from '#src/features/store/invoices/billing.ts';

export const correctInvoiceCall = contract({
  method: 'POST',
  path: '/api/orders/{id}/billing',
  params: z.object({ id: idInPath('Order') }),
  input: billingInput,
  output: z.object({ message: z.string() }),
});
