import type { CreditNote, InvoicedOrder } from '#src/features/store/invoices/invoice.ts';
import { eInvoice } from '#src/features/store/invoices/e-invoice.server.ts';

/** The XML of an invoice or of a credit note of it, without the space between its elements. */
export async function xmlOfView(view: InvoicedOrder, credit?: CreditNote): Promise<string> {
  const { InvoiceService } = await import('@e-invoice-eu/core');
  const silent = { log: () => {}, warn: () => {}, error: () => {} };
  // Checks the fields against the standard's schema, and throws where one does not fit.
  const xml = await new InvoiceService(silent).generate(eInvoice(view, credit), {
    format: 'CII',
    lang: 'en-us',
  });
  return String(xml)
    .replace(/>\s+</g, '><')
    .replace(/>\s+([^<]*?)\s+</g, '>$1<');
}

/** What all elements of this name hold. */
export const valuesIn = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<ram:${name}(?: [^>]*)?>([^<]*)</ram:${name}>`, 'g'))].map(
    (match) => match[1]!,
  );
