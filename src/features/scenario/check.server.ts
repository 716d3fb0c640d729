import { Worker } from 'node:worker_threads';
import { Turns } from '#db/turns.ts';
import { AppError } from '#src/shared/errors.ts';
import type { CheckReport } from './check.ts';

/** A scenario of 50 rules takes less than two; the rest is for a busy machine. */
const CHECK_SECONDS = 20;
const WAITING_MAX = 8;
const MEMORY_MB = 256;

// A check keeps one processor busy, and pages are served beside it.
const turn = new Turns(1);

function stopped(why: string): CheckReport {
  const message = `${why} Let fewer rules change places that goals or conditions read, or write fewer phrases.`;
  return {
    findings: [{ level: 'error', code: 'too-large', at: 'rules', message }],
    states: 0,
    solution: null,
    bestScore: null,
    minutes: null,
  };
}

/**
 * Runs `checkScenario` in a thread of its own, bounded in time and memory.
 * @throws {AppError} unavailable where too many checks wait
 */
export async function checkInThread(
  definition: unknown,
  { signal, seconds = CHECK_SECONDS }: { signal?: AbortSignal; seconds?: number } = {},
): Promise<CheckReport> {
  if (turn.waiting >= WAITING_MAX) {
    throw new AppError('unavailable', 'Other scenarios are being checked. Please try again in a moment.', {
      retryAfterSeconds: 3,
    });
  }
  return turn.run(async () => {
    signal?.throwIfAborted();
    const report = await checkWithin(definition, seconds, signal);
    return typeof report === 'string' ? stopped(report) : report;
  });
}

/** As `checkInThread`, at once and without a turn. */
export function checkWithin(
  definition: unknown,
  seconds: number,
  signal?: AbortSignal,
): Promise<CheckReport | string> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./solve-worker.server.ts', import.meta.url), {
      workerData: definition,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    });
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      void worker.terminate();
    };
    const abort = () => {
      end();
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      end();
      resolve(`The check was stopped after ${seconds} seconds without a result.`);
    }, seconds * 1000);
    signal?.addEventListener('abort', abort);
    worker.once('message', (report: CheckReport) => {
      end();
      resolve(report);
    });
    worker.once('error', (error: NodeJS.ErrnoException) => {
      end();
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY')
        resolve('The check needs more memory than there is for it.');
      else reject(error);
    });
  });
}
