import { Worker } from 'node:worker_threads';
import { Turns } from '#db/turns.ts';
import type { CreditNote, InvoicedOrder } from './invoice.ts';

export type Drawing = { view: InvoicedOrder; note: CreditNote | null };

type Answer = { bytes: Uint8Array<ArrayBuffer> } | { error: unknown };

const SECONDS_MAX = 60;
const IDLE_SECONDS = 60;

const turn = new Turns(1);
let thread: Worker | null = null;
let idle: NodeJS.Timeout | undefined;

function stop(): void {
  void thread?.terminate();
  thread = null;
}

/** One worker thread, which ends when idle; papers take turns. @throws after a minute, or where drawing fails */
export function drawPaper(drawing: Drawing): Promise<Uint8Array<ArrayBuffer>> {
  return turn.run(async () => {
    clearTimeout(idle);
    const answer = await ask(drawing);
    idle = setTimeout(stop, IDLE_SECONDS * 1000).unref();
    if ('error' in answer) throw answer.error;
    return answer.bytes;
  });
}

function ask(drawing: Drawing): Promise<Answer> {
  thread ??= new Worker(new URL('./draw-worker.server.ts', import.meta.url));
  const worker = thread;
  return new Promise((resolve) => {
    const end = (answer: Answer) => {
      clearTimeout(timer);
      worker.off('message', end).off('error', fail).off('exit', ended);
      worker.unref();
      resolve(answer);
    };
    const fail = (error: unknown) => {
      stop();
      end({ error });
    };
    const ended = () => fail(new Error('The thread that draws papers ended.'));
    const timer = setTimeout(
      () => fail(new Error(`A paper was not drawn in ${SECONDS_MAX} seconds.`)),
      SECONDS_MAX * 1000,
    );
    worker.ref();
    worker.on('message', end).on('error', fail).on('exit', ended);
    worker.postMessage(drawing);
  });
}
