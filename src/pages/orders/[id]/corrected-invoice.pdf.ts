import type { APIRoute } from 'astro';
import { withEInvoice } from '#src/features/store/invoices/e-invoice.server.ts';
import { correctedInvoice } from '#src/features/store/invoices/invoice.ts';
import { invoicePdf } from '#src/features/store/invoices/invoice-pdf.server.ts';
import { orderPaper } from '#src/features/store/invoices/paper-response.server.ts';
import { readOrderView } from '#src/features/store/orders/order-view.server.ts';

/** The invoice that names a company in place of the first one, for those who may see its order. */
export const GET: APIRoute = (context) =>
  orderPaper(context, async (order) => {
    const view = correctedInvoice(await readOrderView(order));
    return view && { name: view.invoiceNumber!, bytes: await withEInvoice(view, await invoicePdf(view)) };
  });
