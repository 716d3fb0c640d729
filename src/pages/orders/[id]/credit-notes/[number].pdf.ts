import type { APIRoute } from 'astro';
import { orderPaper } from '#src/features/store/invoices/paper-response.server.ts';
import { creditNoteFile } from '#src/features/store/invoices/papers.server.ts';

/** A credit note as a file, for those who may see its order. */
export const GET: APIRoute = (context) =>
  orderPaper(context, (order) => creditNoteFile(order, context.params.number));
