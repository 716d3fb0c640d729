import { type JudgeHealth, Supervisor, type SupervisorOptions } from './supervisor.ts';
import { JudgeUnavailable, type Submission, type Verdict } from './protocol.ts';
import { RemoteJudges } from './remote.ts';
import type { RunLimits } from './runner.ts';

export type { JudgeHealth } from './supervisor.ts';
/** Reads rows as the judge writes them, from what a test of SQL gave. */
export { parseTable } from './comparing/tables.ts';

export interface JudgeOptions extends SupervisorOptions {
  /** Addresses of judges that run on their own (`npm run judge`); none: the judge runs as children of this process. */
  urls?: readonly string[];
}

/** For one call; tests use small limits. */
export interface CallOptions {
  limits?: Partial<RunLimits>;
}

let current: Supervisor | RemoteJudges | null = null;
let stopped = false;

/**
 * Sets the judge up for this process. Processes start at the first submission of their pool, so that a site without
 * coding lessons pays nothing. Without this call the first `judge()` sets it up with the defaults.
 */
export function startJudge(options: JudgeOptions = {}): void {
  if (current) throw new Error('the judge has been started already');
  stopped = false;
  current = options.urls?.length ? new RemoteJudges(options.urls) : new Supervisor(options);
}

/** Ends all processes of the judge; what waits or runs is refused with `JudgeUnavailable`. */
export async function stopJudge(): Promise<void> {
  const was = current;
  current = null;
  stopped = true;
  await was?.stop();
}

/** Builds what the judge's processes need, where the build has not done it. Starts none. */
export async function prepareJudge(): Promise<void> {
  if (current instanceof Supervisor) await current.preparePools();
}

function running(): Supervisor | RemoteJudges {
  if (stopped) throw new JudgeUnavailable('failed', 'The judge is shutting down.');
  if (!current) startJudge();
  return current!;
}

/**
 * Judges a program against its tests (decisions 44–50).
 * Throws `JudgeUnavailable` when no verdict could be given (its `reason` says why), and
 * `InvalidSubmission` for what it does not take.
 */
export async function judge(submission: Submission, options: CallOptions = {}): Promise<Verdict> {
  return running().judge(submission, options.limits);
}

/** How the judge is: its pools, queues and counters. Asking starts nothing. */
export async function judgeHealth(): Promise<JudgeHealth> {
  return current
    ? current.health()
    : { ok: true, mode: 'idle', pools: {}, counters: null, layers: [], missing: [] };
}
