import type { APIRoute } from 'astro';
import { invoicePdf } from '#src/features/store/invoices/invoice-pdf.server.ts';
import { orderPaper } from '#src/features/store/invoices/paper-response.server.ts';
import { readOrderView } from '#src/features/store/orders/order-view.server.ts';

/** The invoice as a file, for those who may see its order; the proforma of an order by invoice that is not released. */
export const GET: APIRoute = (context) =>
  orderPaper(context, async (order) => {
    const isIssued = order.invoiceNumber !== null && order.completedAt !== null;
    if (!isIssued && (order.payment !== 'bank' || order.status !== 'pending')) return null;
    return {
      name: order.invoiceNumber ?? `proforma-${order.id}`,
      bytes: await invoicePdf(await readOrderView(order)),
    };
  });
