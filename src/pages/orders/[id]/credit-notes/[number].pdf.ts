import type { APIRoute } from 'astro';
import { creditNotePdf } from '#src/features/store/invoices/invoice-pdf.server.ts';
import { orderPaper } from '#src/features/store/invoices/paper-response.server.ts';
import { readOrderView } from '#src/features/store/orders/order-view.server.ts';

/** A credit note as a file, for those who may see its order. */
export const GET: APIRoute = (context) =>
  orderPaper(context, async (order) => {
    const number = context.params.number ?? '';
    const bytes = await creditNotePdf(await readOrderView(order), number);
    return bytes && { name: number, bytes };
  });
