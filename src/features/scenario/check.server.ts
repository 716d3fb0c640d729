import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import { AppError } from '#src/shared/errors.ts';
import type { CheckReport } from './check.ts';

/** Seconds of a check at most. A scenario of 50 rules takes less than two; the rest is for a busy machine. */
const CHECK_SECONDS = 20;
/** Checks that may wait for their turn; whoever comes after them is asked to come again. */
const WAITING_MAX = 8;
const MEMORY_MB = 256;

// A check keeps one processor busy, and pages are served beside it.
const turn = pLimit(1);

/** The report of a check that was stopped: nothing was proven, which stands against publishing. */
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
 * Checks a scenario in a thread of its own: `checkScenario` for whatever an author wrote, bounded in time and memory.
 * Checks take turns.
 *
 * @param definition as it was written; a wrong shape is a finding
 * @param options.signal ends the check early, which then rejects with the signal's reason
 * @param options.seconds how long it may take
 * @throws {AppError} unavailable where too many checks are waiting
 */
export async function checkInThread(
  definition: unknown,
  { signal, seconds = CHECK_SECONDS }: { signal?: AbortSignal; seconds?: number } = {},
): Promise<CheckReport> {
  if (turn.pendingCount >= WAITING_MAX) {
    throw new AppError('unavailable', 'Other scenarios are being checked. Please try again in a moment.', {
      retryAfterSeconds: 3,
    });
  }
  return turn(async () => {
    signal?.throwIfAborted();
    const report = await checkWithin(definition, seconds, signal);
    return typeof report === 'string' ? stopped(report) : report;
  });
}

/** As `checkInThread`, at once and without a turn. Gives the reason, as a sentence, where the check came to no end. */
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
