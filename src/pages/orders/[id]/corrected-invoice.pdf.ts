import type { APIRoute } from 'astro';
import { orderPaper } from '#src/features/store/invoices/paper-response.server.ts';
import { correctedInvoiceFile } from '#src/features/store/invoices/papers.server.ts';

/** The invoice that names a company in place of the first one, for those who may see its order. */
export const GET: APIRoute = (context) => orderPaper(context, correctedInvoiceFile);
