import type { APIRoute } from 'astro';
import { withEInvoice } from '#src/features/store/invoices/e-invoice.server.ts';
import { creditedInvoice, creditNotes } from '#src/features/store/invoices/invoice.ts';
import { creditNotePdf } from '#src/features/store/invoices/invoice-pdf.server.ts';
import { orderPaper } from '#src/features/store/invoices/paper-response.server.ts';
import { readOrderView } from '#src/features/store/orders/order-view.server.ts';

/** A credit note as a file, for those who may see its order. */
export const GET: APIRoute = (context) =>
  orderPaper(context, async (order) => {
    const first = await readOrderView(order);
    const note = creditNotes(first).find(({ number }) => number === context.params.number);
    if (!note) return null;
    const view = creditedInvoice(first, note);
    const pdf = await creditNotePdf(view, note);
    // One that was cancelled has no figures left to book.
    const bytes = view.billing && note.amountCents > 0 ? await withEInvoice(view, pdf, note) : pdf;
    return { name: note.number, bytes };
  });
