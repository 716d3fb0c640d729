import { parentPort } from 'node:worker_threads';
import type { Drawing } from './draw-paper.server.ts';
import { withEInvoice } from './e-invoice.server.ts';
import { creditNotePdf, invoicePdf } from './invoice-pdf.server.ts';

async function draw({ view, note, isEInvoice }: Drawing): Promise<Uint8Array<ArrayBuffer>> {
  const pdf = note ? await creditNotePdf(view, note) : await invoicePdf(view);
  return isEInvoice ? withEInvoice(view, pdf, note) : pdf;
}

// A paper takes up to a second of processor time, which the thread that serves pages does not have.
parentPort?.on('message', (drawing: Drawing) => {
  draw(drawing).then(
    (bytes) => parentPort!.postMessage({ bytes }),
    (error: unknown) => parentPort!.postMessage({ error }),
  );
});
