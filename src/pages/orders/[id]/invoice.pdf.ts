import type { APIRoute } from 'astro';
import { orderPaper } from '#src/features/store/invoices/paper-response.server.ts';
import { invoiceFile } from '#src/features/store/invoices/papers.server.ts';

/** The invoice as a file, for those who may see its order; the proforma of an order by invoice that is not released. */
export const GET: APIRoute = (context) => orderPaper(context, invoiceFile);
