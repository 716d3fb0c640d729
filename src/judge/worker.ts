import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { childEnvironment, PROJECT, READABLE } from './artifacts.ts';
import { outerMs } from './fair-clock.ts';
import { type ChildFrame, frameBytes, type RunFrame, readFrames } from './frames.ts';
import { POOLS } from './pools.ts';
import type { SecondLayers } from './layers.ts';
import type { Language } from './protocol.ts';
import { readTrace } from './trace.ts';
import type { Pool, Observation } from './runner.ts';

const WATCH_MS = 40;
const MEMORY_FRESH_MS = 100;
const KILL_AFTER_MS = 750;
const START_TIMEOUT_MS = 30_000;
const STDERR_KEPT = 4_000;
/** It has run out of memory, whatever the signal. */
const TELLING_GROWTH_MB = 120;
const OUT_OF_MEMORY = /out of memory|is_heap_oom|Allocation failed|invalid table size|OOM|bad_alloc/i;
const OWN_FAULT: readonly (string | null)[] = ['SIGSEGV', 'SIGABRT', 'SIGTRAP', 'SIGILL', 'SIGBUS'];

/** No program is to blame. */
const OWN_ASSERTION = /Assertion .* failed/;

export type Outcome =
  | { type: 'observed'; observations: Observation[] }
  | { type: 'ended'; reason: 'time' | 'memory' }
  | { type: 'starved' }
  /** `engine`: the engine itself crashed. */
  | { type: 'died'; engine: boolean; detail: string }
  | { type: 'failed'; detail: string };

interface Current {
  frame: RunFrame;
  startedAt: number;
  peakMb: number;
  endAtComputedMs: number | null;
  /** What counts should the process end early. */
  soFar: Observation[] | null;
  settle: (outcome: Outcome) => void;
}

/** MB, or null where the system does not tell. */
export function residentMb(pid: number | undefined): number | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    const match = /VmRSS:\s+(\d+) kB/.exec(status);
    return match ? Number(match[1]) / 1024 : null;
  } catch {
    return null;
  }
}

/** unshare forks and waits. */
function innermost(pid: number | undefined): number | undefined {
  try {
    const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ');
    return child ? Number(child) : pid;
  } catch {
    return pid;
  }
}

/** `/proc/<pid>/stat` counts in it on every Linux, milliseconds. */
const TICK_MS = 10;

/** Milliseconds, or null where the system does not tell. */
export function processMs(pid: number | undefined): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // Behind the program's name, which may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return null;
  }
}

export function spawnChild(
  pool: Pool,
  built: { folder: string; entry: string; cold: boolean },
  layers: SecondLayers,
): ChildProcess {
  const { engineFlags, dataLimitMb } = POOLS[pool];
  const [program, ...parameters] = [
    ...layers.prefix(dataLimitMb),
    process.execPath,
    // Isolates need their own engine start-up data.
    '--no-node-snapshot',
    ...engineFlags,
    '--permission',
    '--allow-addons',
    ...READABLE.map((path) => `--allow-fs-read=${path}`),
    '--disable-warning=SecurityWarning',
    '--disable-sigusr1',

    built.entry,
    built.cold ? 'serve-cold' : 'serve',
    pool,
    built.folder,
  ];
  return spawn(program!, parameters, {
    cwd: PROJECT,
    env: childEnvironment(),
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
    // A group of its own: the terminal's Ctrl+C ends the site in good order, not its children first.
    detached: true,
  });
}

export class Worker {
  readonly pool: Pool;
  state: 'starting' | 'idle' | 'busy' | 'leaving' | 'dead' = 'starting';
  languages: Language[] = [];
  failures: Partial<Record<Language, string>> = {};
  runs = 0;
  idleSince = 0;
  idleMb = 0;
  freshMb = 0;
  complaint = '';
  pid: number | undefined;
  #process: ChildProcess;
  #current: Current | null = null;
  #killedFor: 'time' | 'memory' | 'starved' | null = null;
  #computedMs = 0;
  #memoryKnownAt = Number.NEGATIVE_INFINITY;
  #killTimer: NodeJS.Timeout | undefined;
  #watch: NodeJS.Timeout | undefined;
  #onEnd: (worker: Worker, wasReady: boolean) => void;

  constructor(
    pool: Pool,
    built: { folder: string; entry: string; cold: boolean },
    layers: SecondLayers,
    onReady: (worker: Worker) => void,
    onEnd: (worker: Worker, wasReady: boolean) => void,
  ) {
    this.pool = pool;
    this.#onEnd = onEnd;
    this.#process = spawnChild(pool, built, layers);
    this.pid = this.#process.pid;
    this.#killTimer = setTimeout(() => this.kill(), START_TIMEOUT_MS);
    this.#listen(onReady);
  }

  #listen(onReady: (worker: Worker) => void): void {
    const child = this.#process;
    const onFrame = (frame: unknown) => {
      if (!isFrame(frame)) return this.kill();
      if (frame.type === 'ready' && this.state === 'starting') {
        clearTimeout(this.#killTimer);
        this.languages = frame.languages;
        this.failures = frame.failed;
        this.pid = innermost(this.#process.pid);
        this.freshMb = residentMb(this.pid) ?? 0;
        this.#rest();
        this.#makeExpendable();
        onReady(this);
      } else if (frame.type === 'dying') this.#end(this.#reasonOf(frame.reason));
      else if (frame.type === 'again') this.#allow();
      else if (frame.type === 'so_far' && this.#current) this.#current.soFar = frame.observations;
      else if (frame.type === 'done' && frame.id === this.#current?.frame.id) {
        const outcome: Outcome = { type: 'observed', observations: frame.observations };
        this.#finish(outcome);
      } else if (frame.type === 'failed' && frame.id === this.#current?.frame.id) {
        this.#finish({ type: 'failed', detail: frame.message });
      } else if (frame.type === 'starved' && frame.id === this.#current?.frame.id) {
        this.#finish({ type: 'starved' });
      } else this.kill();
    };
    (child.stdio[3] as NodeJS.ReadableStream)
      .on(
        'data',
        readFrames(onFrame, () => this.kill()),
      )
      .on('error', () => this.kill());
    child.stdin!.on('error', () => this.kill());
    child.stderr!.on('data', (chunk: Buffer) => {
      this.complaint = `${this.complaint}${chunk.toString('utf8')}`.slice(-STDERR_KEPT);
    });
    child.once('error', (error) => {
      this.complaint = String(error);
      this.#ended(null);
    });
    child.once('close', (_code, signal) => this.#ended(signal));
    // The judge never keeps a process alive that has nothing else to do.
    child.unref();
    for (const stream of [child.stdin, child.stderr, child.stdio[3]]) {
      (stream as { unref?: () => void } | null)?.unref?.();
    }
  }

  /** The kernel, short of memory, takes a judge child before the site. */
  #makeExpendable(): void {
    try {
      writeFileSync(`/proc/${this.pid}/oom_score_adj`, '800');
    } catch {
      // Not Linux, or not allowed: the watch below remains.
    }
  }

  #rest(ranMs = Number.POSITIVE_INFINITY): void {
    this.state = 'idle';
    this.idleSince = performance.now();
    if (ranMs < WATCH_MS && this.idleSince - this.#memoryKnownAt < MEMORY_FRESH_MS) return;
    this.idleMb = residentMb(this.pid) ?? this.idleMb;
    this.#memoryKnownAt = this.idleSince;
  }

  /** The worker must be idle. Always settles. */
  run(frame: RunFrame): Promise<Outcome> {
    this.state = 'busy';
    this.runs += 1;
    return new Promise((settle) => {
      this.#current = {
        frame,
        startedAt: performance.now(),
        peakMb: this.idleMb,
        endAtComputedMs: null,
        soFar: null,
        settle,
      };
      this.#killTimer = setTimeout(() => this.#late(), frame.limits.totalMs + KILL_AFTER_MS);
      this.#watch = setInterval(() => this.#look(), WATCH_MS);
      this.#process.stdin!.write(frameBytes(frame));
    });
  }

  /** A busy machine is not the program's fault: what was computed counts. */
  #late(): void {
    if (!this.#current) return;
    const { frame, startedAt, endAtComputedMs } = this.#current;
    const computed = processMs(this.pid);
    const leftMs = computed === null || endAtComputedMs === null ? 0 : endAtComputedMs - computed;
    if (leftMs <= 0) this.#end('time');
    else if (performance.now() - startedAt >= outerMs(frame.limits) + KILL_AFTER_MS) this.#end('starved');
    else this.#killTimer = setTimeout(() => this.#late(), Math.max(WATCH_MS, leftMs));
  }

  #allow(): void {
    const computed = processMs(this.pid);
    if (!this.#current || computed === null) return;
    this.#current.endAtComputedMs = computed + this.#current.frame.limits.totalMs + KILL_AFTER_MS;
  }

  #reasonOf(reason: 'time' | 'memory'): 'time' | 'memory' | 'starved' {
    if (reason === 'memory' || !this.#current) return reason;
    const { frame, endAtComputedMs } = this.#current;
    if (endAtComputedMs === null) return reason;
    const leftMs = endAtComputedMs - (processMs(this.pid) ?? this.#computedMs);
    const had = frame.limits.totalMs + KILL_AFTER_MS - leftMs;
    return had >= frame.limits.testMs - 2 * WATCH_MS ? 'time' : 'starved';
  }

  #look(): void {
    const resident = residentMb(this.pid);
    if (resident === null || !this.#current) return;
    // Most runs end before the first look, and need not be measured.
    if (this.#current.endAtComputedMs === null) this.#allow();
    this.#computedMs = processMs(this.pid) ?? this.#computedMs;
    this.#current.peakMb = Math.max(this.#current.peakMb, resident);
    if (resident > this.idleMb + POOLS[this.pool].memoryRoomMb) this.#end('memory');
  }

  #end(reason: 'time' | 'memory' | 'starved'): void {
    this.#killedFor ??= reason;
    this.kill();
  }

  #finish(outcome: Outcome): void {
    const was = this.#current;
    this.#current = null;
    clearTimeout(this.#killTimer);
    clearInterval(this.#watch);
    if (this.state === 'busy') this.#rest(was ? performance.now() - was.startedAt : undefined);
    was?.settle(outcome);
  }

  #ended(signal: string | null): void {
    if (this.state === 'dead') return;
    const wasReady = this.state !== 'starting';
    this.state = 'dead';
    const grown = (this.#current?.peakMb ?? 0) - this.idleMb;
    const soFar = this.#current?.soFar;
    if (soFar) this.#finish({ type: 'observed', observations: soFar });
    else if (this.#killedFor === 'starved') this.#finish({ type: 'starved' });
    else if (this.#killedFor) this.#finish({ type: 'ended', reason: this.#killedFor });
    else if (OUT_OF_MEMORY.test(this.complaint) || grown > TELLING_GROWTH_MB)
      this.#finish({ type: 'ended', reason: 'memory' });
    else
      this.#finish({
        type: 'died',
        engine: OWN_FAULT.includes(signal) && !OWN_ASSERTION.test(this.complaint),
        detail: `${signal ?? 'ended'} ${this.complaint.trim()}`,
      });
    clearTimeout(this.#killTimer);
    this.#onEnd(this, wasReady);
  }

  kill(): void {
    const { pid, exitCode, signalCode } = this.#process;
    if (exitCode !== null || signalCode !== null) return;
    try {
      // The innermost: unshare sees its end, and dies of the same signal.
      process.kill(innermost(pid)!, 'SIGKILL');
    } catch {
      this.#process.kill('SIGKILL');
    }
  }

  retire(): void {
    this.state = 'leaving';
    this.kill();
  }

  async stop(): Promise<void> {
    if (this.state === 'dead') return;
    const gone = new Promise<void>((done) => {
      this.#process.once('close', () => done());
    });
    this.#process.ref();
    this.kill();
    await gone;
  }
}

/** A child is not trusted: whatever it sends is checked. */
function isFrame(value: unknown): value is ChildFrame {
  if (typeof value !== 'object' || value === null) return false;
  const frame = value as Record<string, unknown>;
  if (frame.type === 'ready') return Array.isArray(frame.languages) && typeof frame.failed === 'object';
  if (frame.type === 'dying') return frame.reason === 'time' || frame.reason === 'memory';
  if (frame.type === 'again') return true;
  if (frame.type === 'so_far') return areObservations(frame.observations);
  if (typeof frame.id !== 'number') return false;
  if (frame.type === 'starved') return true;
  if (frame.type === 'failed') return typeof frame.message === 'string';
  return frame.type === 'done' && areObservations(frame.observations);
}

const areObservations = (value: unknown) => Array.isArray(value) && value.every(isObservation);

const KINDS: readonly unknown[] = [
  'value',
  'runtime_error',
  'syntax_error',
  'time_limit',
  'memory_limit',
  'output_limit',
];
const isText = (value: unknown) => typeof value === 'string';
const isTextOrNull = (value: unknown) => value === null || isText(value);
const isPlace = (value: unknown) => value === null || Number.isSafeInteger(value);

function isObservation(value: unknown): value is Observation {
  if (typeof value !== 'object' || value === null) return false;
  const {
    kind,
    value: given,
    withoutPrompts,
    output,
    outputTruncated,
    error,
    hint,
    trace,
  } = value as Record<string, unknown>;
  if (!KINDS.includes(kind) || !isTextOrNull(given) || !isText(output)) return false;
  if (withoutPrompts !== undefined && !isText(withoutPrompts)) return false;
  if (typeof outputTruncated !== 'boolean') return false;
  if (trace !== undefined && !readTrace(trace)) return false;
  return (error === null || isError(error)) && (hint === undefined || isError(hint));
}

function isError(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { name, message, line, column, explanation } = value as Record<string, unknown>;
  return isText(name) && isText(message) && isPlace(line) && isPlace(column) && isTextOrNull(explanation);
}
