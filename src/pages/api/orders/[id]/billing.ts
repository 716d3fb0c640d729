import { correctInvoice } from '#src/features/store/invoices/correct-invoice.server.ts';
import { correctInvoiceCall } from '#src/features/store/invoices/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  correctInvoiceCall,
  { access: 'user', limit: 'checkout' },
  ({ user, params, input }) => correctInvoice(user, params.id, input),
);
