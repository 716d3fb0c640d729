import type { APIRoute } from 'astro';
import { withEInvoice } from '#src/features/store/invoices/e-invoice.server.ts';
import { invoicePdf } from '#src/features/store/invoices/invoice-pdf.server.ts';
import { orderPaper } from '#src/features/store/invoices/paper-response.server.ts';
import { readOrderView } from '#src/features/store/orders/order-view.server.ts';

/** The invoice as a file, for those who may see its order; the proforma of an order by invoice that is not released. */
export const GET: APIRoute = (context) =>
  orderPaper(context, async (order) => {
    const isIssued = order.invoiceNumber !== null && order.completedAt !== null;
    if (!isIssued && (order.payment !== 'bank' || order.status !== 'pending')) return null;
    const view = await readOrderView(order);
    const pdf = await invoicePdf(view);
    // A company's bookkeeping reads the figures out of the file.
    const bytes = isIssued && view.billing ? await withEInvoice(view, pdf) : pdf;
    return { name: order.invoiceNumber ?? `proforma-${order.id}`, bytes };
  });
