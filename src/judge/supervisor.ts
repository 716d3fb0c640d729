import { existsSync } from 'node:fs';
import { type BuiltPool, ensurePool, isPoolBuilt } from './artifacts.ts';
import { prepareComparison } from './comparing/compare.ts';
import { prepareHints } from './comparing/hints.ts';
import { Worker, type Outcome, processMs, residentMb } from './worker.ts';
import type { HINT_LIMITS } from './edits/search.ts';
import { limitsFor, POOL_OF, POOLS } from './pools.ts';
import { type MissingLayer, probeLayers, type SecondLayers } from './layers.ts';
import {
  InvalidSubmission,
  JudgeUnavailable,
  LANGUAGES,
  type LearnerError,
  TRACED,
  type Submission,
  type Verdict,
  type VerdictKind,
} from './protocol.ts';
import type { Pool, Program, RunLimits } from './runner.ts';
import { verdictOf } from './comparing/verdict.ts';

/** One of an owner's submissions runs, two wait, more are refused (decision 50). */
const WAITING_PER_OWNER = 2;
/** The last of them starts before it has waited too long. */
const VISITORS_WAITING = 6;
/** Learners wait for its end. */
const VISITOR_MS = 1_000;
const MAX_WAITING = 200;
export const MAX_WAIT_MS = 20_000;
const START_ATTEMPTS = 3;
const LONGEST_PAUSE_MS = 30_000;
const RETIRE_RUNS = 5_000;
const CODE_LIMIT = 256 * 1024;
const TEST_LIMIT = 100;
const DURATIONS_KEPT = 1_000;

export interface SupervisorOptions {
  children?: Partial<Record<Pool, number>>;
  log?: (line: string) => void;
}

interface JudgeCounters {
  submitted: number;
  verdicts: Partial<Record<VerdictKind, number>>;
  refusedBusy: number;
  unavailable: number;
  starved: number;
  killedForTime: number;
  killedForMemory: number;
  deaths: number;
  retries: number;
  processesStarted: number;
  longestQueue: number;
}

export interface PoolHealth {
  processes: number;
  idle: number;
  busy: number;
  queued: number;
  residentMb: number;
  problem: string | null;
  p50Ms: number | null;
  p95Ms: number | null;
}

export interface JudgeHealth {
  ok: boolean;
  mode: 'idle' | 'local' | 'remote';
  pools: Record<string, PoolHealth | { ok: boolean }>;
  counters: JudgeCounters | null;
  layers: string[];
  missing: MissingLayer[];
}

interface Job {
  id: number;
  submission: Submission;
  program: Program;
  limits: RunLimits;
  pool: Pool;
  submittedAt: number;
  deaths: number;
  waitTimer: NodeJS.Timeout | undefined;
  resolve: (verdict: Verdict) => void;
  reject: (error: Error) => void;
}

interface PoolState {
  name: Pool;
  queue: Job[];
  workers: Worker[];
  size: number;
  isVisitorRunning: boolean;
  failedStarts: number;
  pausedUntil: number;
  preparing: boolean;
  /** Sources that change under a running site must not change half of it. */
  built: BuiltPool | null;
  problem: string | null;
  durations: number[];
}

/** Owns the judge's processes: queues, fairness, limits from outside, and recovery. */
export class Supervisor {
  #pools = new Map<Pool, PoolState>();
  #owners = new Map<string, { running: number; waiting: number }>();
  #searching = new Set<string | Submission>();
  #layers: SecondLayers | null = null;
  #log: (line: string) => void;
  #children: Partial<Record<Pool, number>>;
  #lastId = 0;
  #stopped = false;
  #counters: JudgeCounters = {
    submitted: 0,
    verdicts: {},
    refusedBusy: 0,
    unavailable: 0,
    starved: 0,
    killedForTime: 0,
    killedForMemory: 0,
    deaths: 0,
    retries: 0,
    processesStarted: 0,
    longestQueue: 0,
  };

  constructor(options: SupervisorOptions = {}) {
    this.#log = options.log ?? (() => {});
    this.#children = options.children ?? {};
  }

  async judge(submission: Submission, limits: Partial<RunLimits> = {}, search?: number): Promise<Verdict> {
    checkSubmission(submission);
    const order = runOrder(submission);
    if (order) {
      const { tests } = submission;
      const verdict = await this.judge(
        { ...submission, tests: order.map((at) => tests[at]!) },
        limits,
        search,
      );
      return { ...verdict, tests: tests.map((_, at) => verdict.tests[order.indexOf(at)]!) };
    }
    await Promise.all([prepareComparison(submission.language), prepareHints(submission.language)]);
    if (this.#stopped) throw new JudgeUnavailable('failed', 'The judge is shutting down.');
    if (!search) this.#counters.submitted += 1;
    const pool = this.#pool(POOL_OF[submission.language]);
    this.#refuseWhenFull(pool, submission);
    return new Promise((resolve, reject) => {
      this.#lastId += 1;
      const job: Job = {
        id: this.#lastId,
        submission,
        program: { ...programOf(submission), ...(search ? { search } : {}) },
        limits: limitsIn(pool, submission, limits),
        pool: pool.name,
        submittedAt: performance.now(),
        deaths: 0,
        waitTimer: undefined,
        resolve,
        reject,
      };
      job.waitTimer = setTimeout(() => this.#giveUpWaiting(pool, job), MAX_WAIT_MS);
      job.waitTimer.unref();
      this.#owner(submission.owner).waiting += 1;
      pool.queue.push(job);
      this.#counters.longestQueue = Math.max(this.#counters.longestQueue, pool.queue.length);
      this.#dispatch(pool);
    });
  }

  /**
   * Tries small edits of a wrong program while no program waits: one search of an owner at a time.
   * @returns the line of one that passes all visible tests and its kind, or null
   */
  async proveHint(
    submission: Submission,
    limits: Partial<RunLimits> = {},
    within?: typeof HINT_LIMITS,
  ): Promise<LearnerError | null> {
    checkSubmission(submission);
    const { owner = submission } = submission;
    const { searchHint } = await import('./edits/search.ts');
    if (this.#searching.has(owner)) return null;
    this.#searching.add(owner);
    this.#lastId += 1;
    const search = this.#lastId;
    try {
      return await searchHint(
        submission,
        async (trial, ofTrial) => {
          const pool = this.#pool(POOL_OF[trial.language]);
          if (pool.queue.length > 0 || this.#owners.has(owner as string)) return null;
          const verdict = await this.judge(trial, { ...limits, ...ofTrial }, search);
          return { verdict, ms: pool.workers.reduce((sum, { pid }) => sum + (processMs(pid) ?? 0), 0) };
        },
        within,
      );
    } finally {
      this.#searching.delete(owner);
    }
  }

  #pool(pool: Pool): PoolState {
    let state = this.#pools.get(pool);
    if (!state) {
      state = {
        name: pool,
        queue: [],
        workers: [],
        size: this.#children[pool] ?? POOLS[pool].children,
        isVisitorRunning: false,
        failedStarts: 0,
        pausedUntil: 0,
        preparing: false,
        built: null,
        problem: null,
        durations: [],
      };
      this.#pools.set(pool, state);
    }
    return state;
  }

  #owner(owner: string | undefined): { running: number; waiting: number } {
    // Those without an owner are not limited, so they need not be remembered.
    if (owner === undefined) return { running: 0, waiting: 0 };
    let entry = this.#owners.get(owner);
    if (!entry) {
      entry = { running: 0, waiting: 0 };
      this.#owners.set(owner, entry);
    }
    return entry;
  }

  #forgetIdleOwner(owner: string | undefined): void {
    if (owner === undefined) return;
    const { running, waiting } = this.#owner(owner);
    if (running === 0 && waiting === 0) this.#owners.delete(owner);
  }

  #refuseWhenFull(pool: PoolState, { owner, isVisitor }: Submission): void {
    if (pool.pausedUntil > performance.now()) {
      this.#counters.unavailable += 1;
      const seconds = Math.ceil((pool.pausedUntil - performance.now()) / 1000);
      throw new JudgeUnavailable('failed', 'The judge does not start at the moment.', seconds);
    }
    const { running, waiting } = this.#owner(owner);
    this.#forgetIdleOwner(owner);
    // One that could start at once does not count as waiting.
    if (running + waiting > WAITING_PER_OWNER) {
      this.#counters.refusedBusy += 1;
      throw new JudgeUnavailable(
        'own_runs',
        'Your earlier runs are still under way. Wait for their results.',
      );
    }
    const visitors = pool.queue.filter(({ submission }) => submission.isVisitor).length;
    if (pool.queue.length >= MAX_WAITING || (isVisitor && visitors >= VISITORS_WAITING)) {
      this.#counters.refusedBusy += 1;
      throw new JudgeUnavailable('busy', 'Too many programs are waiting to be checked.', 5);
    }
  }

  #giveUpWaiting(pool: PoolState, job: Job): void {
    if (!this.#unqueue(pool, job)) return;
    this.#counters.refusedBusy += 1;
    job.reject(new JudgeUnavailable('busy', 'The judge had no free place in time.', 5));
  }

  #unqueue(pool: PoolState, job: Job): boolean {
    const index = pool.queue.indexOf(job);
    if (index < 0) return false;
    pool.queue.splice(index, 1);
    clearTimeout(job.waitTimer);
    this.#owner(job.submission.owner).waiting -= 1;
    this.#forgetIdleOwner(job.submission.owner);
    return true;
  }

  #dispatch(pool: PoolState): void {
    if (this.#stopped) return;
    let idle = pool.workers.filter((worker) => worker.state === 'idle');
    // The one that has rested longest has its unused sandboxes ready.
    idle.sort((a, b) => a.idleSince - b.idleSince);
    for (const job of visitorsLast(pool.queue)) {
      if (idle.length === 0) break;
      const { owner, isVisitor } = job.submission;
      if (this.#owner(owner).running > 0 || (isVisitor && pool.isVisitorRunning)) continue;
      const [worker, ...others] = idle;
      idle = others;
      this.#unqueue(pool, job);
      void this.#run(pool, job, worker!);
    }
    if (pool.queue.length > 0 || pool.workers.length > 0) this.#fill(pool);
  }

  async #run(pool: PoolState, job: Job, worker: Worker): Promise<void> {
    const { submission, program, limits } = job;
    if (!worker.languages.includes(submission.language)) {
      const broken = worker.failures[submission.language] ?? 'its file could not be loaded';
      this.#fail(job, `${submission.language} cannot be judged: ${broken}`);
      return;
    }
    this.#owner(submission.owner).running += 1;
    if (submission.isVisitor) pool.isVisitorRunning = true;
    const outcome = await worker.run({ id: job.id, program, limits });
    this.#owner(submission.owner).running -= 1;
    if (submission.isVisitor) pool.isVisitorRunning = false;
    this.#forgetIdleOwner(submission.owner);
    this.#settle(pool, job, outcome);
    this.#retireWhenGrown(worker);
    this.#dispatch(pool);
  }

  #settle(pool: PoolState, job: Job, outcome: Outcome): void {
    if (outcome.type === 'observed') this.#give(pool, job, outcome.observations);
    else if (outcome.type === 'failed') this.#fail(job, outcome.detail);
    else if (outcome.type === 'starved') {
      this.#counters.starved += 1;
      job.reject(new JudgeUnavailable('busy', 'The machine is too busy to run this program.', 5));
    } else if (outcome.type === 'ended') {
      if (outcome.reason === 'time') this.#counters.killedForTime += 1;
      else this.#counters.killedForMemory += 1;
      this.#give(pool, job, outcome.reason);
    } else this.#afterDeath(pool, job, outcome.engine, outcome.detail);
  }

  #give(pool: PoolState, job: Job, seen: Parameters<typeof verdictOf>[1]): void {
    const durationMs = Math.round((performance.now() - job.submittedAt) * 10) / 10;
    let verdict: Verdict;
    try {
      verdict = verdictOf(job.submission, seen, job.limits, durationMs, !job.program.search);
    } catch (error) {
      this.#fail(job, String(error));
      return;
    }
    job.resolve(verdict);
    // What is tried for a hint counts nowhere.
    if (job.program.search) return;
    this.#counters.verdicts[verdict.kind] = (this.#counters.verdicts[verdict.kind] ?? 0) + 1;
    pool.durations.push(durationMs);
    if (pool.durations.length > DURATIONS_KEPT) pool.durations.shift();
  }

  /** One more chance, ahead of all others. */
  #afterDeath(pool: PoolState, job: Job, engine: boolean, detail: string): void {
    this.#counters.deaths += 1;
    job.deaths += 1;
    if (job.deaths === 1 && !this.#stopped) {
      this.#counters.retries += 1;
      this.#log(`judge: a process died during a run, which is tried once more: ${detail}`);
      this.#owner(job.submission.owner).waiting += 1;
      pool.queue.unshift(job);
    } else if (engine) {
      // Twice the same program in two fresh processes, and the engine itself fell: it is the program.
      this.#give(pool, job, 'memory');
    } else this.#fail(job, detail);
  }

  #fail(job: Job, detail: string): void {
    this.#counters.unavailable += 1;
    this.#log(`no verdict for a ${job.submission.language} program: ${detail}`);
    job.reject(new JudgeUnavailable('failed', 'The judge could not check this program. Please try again.'));
  }

  #retireWhenGrown(worker: Worker): void {
    if (worker.state !== 'idle') return;
    // What a process has grown by over many submissions is given back by a new one alone.
    const mostMb = POOLS[worker.pool].memoryRoomMb / 2;
    if (worker.idleMb - worker.freshMb > mostMb || worker.runs >= RETIRE_RUNS) worker.retire();
  }

  #fill(pool: PoolState): void {
    if (this.#stopped || pool.preparing || pool.workers.length >= pool.size) return;
    const wait = pool.pausedUntil - performance.now();
    if (wait > 0) return;
    pool.preparing = true;
    this.#prepare(pool)
      .catch((error: unknown) => {
        pool.failedStarts = START_ATTEMPTS;
        this.#pause(pool, String(error));
      })
      .finally(() => {
        pool.preparing = false;
      });
  }

  async #prepare(pool: PoolState): Promise<void> {
    const isNew = !pool.built || !existsSync(pool.built.entry);
    if (isNew) pool.built = await ensurePool(pool.name);
    const layers = await this.#knowLayers();
    const { built } = pool;
    if (this.#stopped || !built) return;
    if (isNew) this.#tellBuilt(pool.name, built);
    while (pool.workers.length < pool.size) {
      this.#counters.processesStarted += 1;
      const worker = new Worker(
        pool.name,
        // Artifacts that the engine does not take end a process at once; the slow way needs none.
        { ...built, cold: pool.failedStarts > 0 },
        layers,
        () => {
          pool.failedStarts = 0;
          pool.problem = null;
          for (const [language, why] of Object.entries(worker.failures)) {
            this.#log(`judge: ${language} cannot be judged: ${why}`);
          }
          this.#dispatch(pool);
        },
        (_, wasReady) => {
          pool.workers = pool.workers.filter((other) => other !== worker);
          if (!wasReady && !this.#stopped) {
            pool.failedStarts += 1;
            this.#pause(pool, worker.complaint.trim() || 'a process ended before it was ready');
          }
          this.#dispatch(pool);
        },
      );
      pool.workers.push(worker);
    }
  }

  async #knowLayers(): Promise<SecondLayers> {
    const layers = await probeLayers();
    if (this.#layers) return layers;
    this.#layers = layers;
    const missing = layers.off.map(({ name }) => name).join(', ') || 'none';
    this.#log(`judge: walls besides the isolate: ${layers.on.join(', ')}; missing: ${missing}`);
    for (const { name, means } of layers.off)
      this.#log(`judge: WALL MISSING on this host: ${name}; ${means}`);
    return layers;
  }

  #pause(pool: PoolState, problem: string): void {
    pool.problem = problem;
    if (pool.failedStarts < START_ATTEMPTS) return;
    const pauseMs = Math.min(LONGEST_PAUSE_MS, 1_000 * 2 ** (pool.failedStarts - START_ATTEMPTS));
    pool.pausedUntil = performance.now() + pauseMs;
    this.#log(`judge: the ${pool.name} pool does not start: ${problem}`);
    for (const job of [...pool.queue]) {
      this.#unqueue(pool, job);
      this.#fail(job, problem);
    }
  }

  #tellBuilt(pool: Pool, { tookMs, problem }: BuiltPool): void {
    if (tookMs !== null) this.#log(`judge: built the ${pool} pool in ${tookMs} ms`);
    if (problem) this.#log(`judge: not all of the ${pool} pool could be built: ${problem.slice(0, 1_000)}`);
  }

  /** Without starting any. */
  async preparePools(): Promise<void> {
    await this.#knowLayers();
    for (const pool of Object.keys(POOLS) as Pool[]) {
      if (this.#stopped || isPoolBuilt(pool)) continue;
      await ensurePool(pool).then(
        (built) => this.#tellBuilt(pool, built),
        (error: unknown) => this.#log(`judge: the ${pool} pool could not be built: ${String(error)}`),
      );
    }
  }

  /** Never starts anything. */
  async health(): Promise<JudgeHealth> {
    const pools: Record<string, PoolHealth> = {};
    for (const [name, { workers, queue, problem, durations }] of this.#pools) {
      const sorted = [...durations].sort((a, b) => a - b);
      pools[name] = {
        processes: workers.length,
        idle: workers.filter((worker) => worker.state === 'idle').length,
        busy: workers.filter((worker) => worker.state === 'busy').length,
        queued: queue.length,
        residentMb: Math.round(workers.reduce((sum, worker) => sum + (residentMb(worker.pid) ?? 0), 0)),
        problem,
        p50Ms: sorted[Math.floor(sorted.length / 2)] ?? null,
        p95Ms: sorted[Math.floor(sorted.length * 0.95)] ?? null,
      };
    }
    return {
      ok: Object.values(pools).every((pool) => pool.problem === null),
      mode: 'local',
      pools,
      counters: structuredClone(this.#counters),
      layers: this.#layers?.on ?? [],
      missing: this.#layers?.off ?? [],
    };
  }

  processIds(pool: Pool, only?: 'busy'): number[] {
    const workers = this.#pools.get(pool)?.workers ?? [];
    return workers.flatMap(({ pid, state }) => (pid && (!only || state === only) ? [pid] : []));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const pool of this.#pools.values()) {
      for (const job of [...pool.queue]) {
        this.#unqueue(pool, job);
        job.reject(new JudgeUnavailable('failed', 'The judge is shutting down.'));
      }
      await Promise.all(pool.workers.map((worker) => worker.stop()));
    }
  }
}

function runOrder({ tests }: Submission): number[] | null {
  const order = tests
    .map((_, at) => at)
    .sort((a, b) => Number(tests[a]!.hidden ?? false) - Number(tests[b]!.hidden ?? false));
  return order.some((from, at) => from !== at) ? order : null;
}

function visitorsLast(queue: readonly Job[]): Job[] {
  const isVisitors = ({ submission }: Job) => Number(submission.isVisitor ?? false);
  return queue.toSorted((a, b) => isVisitors(a) - isVisitors(b));
}

function limitsIn(
  { size }: PoolState,
  { language, isVisitor }: Submission,
  wished: Partial<RunLimits>,
): RunLimits {
  const limits = limitsFor(language, wished);
  if (!isVisitor || size > 1) return limits;
  const { testMs, totalMs } = limits;
  return { ...limits, testMs: Math.min(testMs, VISITOR_MS), totalMs: Math.min(totalMs, VISITOR_MS) };
}

function programOf(submission: Submission): Program {
  return {
    language: submission.language,
    code: submission.code,
    fixture: submission.fixture ?? '',
    inputs: submission.tests.map(({ input, mode }) => ({ input, mode: mode ?? 'call' })),
    ...(submission.traced ? { traced: true } : {}),
  };
}

/** @throws {InvalidSubmission} */
function checkSubmission(submission: Submission): void {
  const { language, code, tests, fixture = '' } = submission;
  if (!LANGUAGES.includes(language)) throw new InvalidSubmission('language: must be one of them');
  if (code.length > CODE_LIMIT) throw new InvalidSubmission('code: must be at most 256 KB');
  if (fixture.length > CODE_LIMIT) throw new InvalidSubmission('fixture: must be at most 256 KB');
  if (tests.length > TEST_LIMIT) throw new InvalidSubmission('tests: must be at most 100');
  if (submission.traced && (tests.length > 1 || !TRACED.includes(language))) {
    throw new InvalidSubmission(
      'traced: must be a program in a language that can be recorded, with at most one test',
    );
  }
  for (const { input, expectedOutput } of tests) {
    if (input.length > CODE_LIMIT || expectedOutput.length > CODE_LIMIT) {
      throw new InvalidSubmission('tests: inputs and expected outputs must be at most 256 KB each');
    }
  }
}
