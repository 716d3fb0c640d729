import { type JudgeHealth, Supervisor, type SupervisorOptions } from './supervisor.ts';
import { JudgeUnavailable, type LearnerError, type Submission, type Verdict } from './protocol.ts';
import { RemoteJudges } from './remote.ts';
import type { RunLimits } from './runner.ts';

export type { JudgeHealth } from './supervisor.ts';
export { parseTable } from './comparing/tables.ts';

interface JudgeOptions extends SupervisorOptions {
  /** None: the judge runs as children of this process. */
  urls?: readonly string[];
}

export interface CallOptions {
  limits?: Partial<RunLimits>;
}

let current: Supervisor | RemoteJudges | null = null;
let stopped = false;

export function startJudge(options: JudgeOptions = {}): void {
  if (current) throw new Error('the judge has been started already');
  stopped = false;
  current = options.urls?.length ? new RemoteJudges(options.urls) : new Supervisor(options);
}

export async function stopJudge(): Promise<void> {
  const was = current;
  current = null;
  stopped = true;
  await was?.stop();
}

export async function prepareJudge(): Promise<void> {
  if (current instanceof Supervisor) await current.preparePools();
}

function running(): Supervisor | RemoteJudges {
  if (stopped) throw new JudgeUnavailable('failed', 'The judge is shutting down.');
  if (!current) startJudge();
  return current!;
}

/** Judges a program against its tests (decisions 44–50). */
export async function judge(submission: Submission, options: CallOptions = {}): Promise<Verdict> {
  return running().judge(submission, options.limits);
}

/** The line of a wrong program where a small edit passes more tests, and its kind, or null. */
export async function proveHint(
  submission: Submission,
  options: CallOptions = {},
): Promise<LearnerError | null> {
  return running().proveHint(submission, options.limits);
}

export async function judgeHealth(): Promise<JudgeHealth> {
  return current
    ? current.health()
    : { ok: true, mode: 'idle', pools: {}, counters: null, layers: [], missing: [] };
}
