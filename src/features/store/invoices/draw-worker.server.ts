import { parentPort } from 'node:worker_threads';
import type { Drawing } from './draw-paper.server.ts';
import { creditNotePdf, invoicePdf } from './invoice-pdf.server.ts';

const draw = ({ view, note }: Drawing): Promise<Uint8Array<ArrayBuffer>> =>
  note ? creditNotePdf(view, note) : invoicePdf(view);

// A paper takes up to a second of CPU, too long for the serving thread.
parentPort?.on('message', (drawing: Drawing) => {
  draw(drawing).then(
    (bytes) => parentPort!.postMessage({ bytes }),
    (error: unknown) => parentPort!.postMessage({ error }),
  );
});
