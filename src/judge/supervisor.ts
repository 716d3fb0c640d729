import { existsSync } from 'node:fs';
import { type BuiltLane, ensureLane, isLaneBuilt } from './artifacts.ts';
import { prepareComparison } from './comparing/compare.ts';
import { Box, type Outcome, residentMb } from './box.ts';
import { DEFAULT_LIMITS, LANE_OF, LANES } from './lanes.ts';
import { type MissingLayer, probeLayers, type SecondLayers } from './layers.ts';
import {
  InvalidSubmission,
  JudgeUnavailable,
  LANGUAGES,
  type Submission,
  type Verdict,
  type VerdictKind,
} from './protocol.ts';
import type { Lane, Program, RunLimits } from './runner.ts';
import { verdictOf } from './comparing/verdict.ts';

/** Decision on fairness: one of an owner's submissions runs, two wait, more are refused. */
const WAITING_PER_OWNER = 2;
const MAX_WAITING = 200;
const MAX_WAIT_MS = 20_000;
const START_ATTEMPTS = 3;
const LONGEST_PAUSE_MS = 30_000;
/** A process that has grown so much over many submissions is replaced while idle. */
const RETIRE_GROWTH_MB = 150;
const RETIRE_RUNS = 5_000;
const CODE_LIMIT = 256 * 1024;
const TEST_LIMIT = 100;
const DURATIONS_KEPT = 1_000;

export interface SupervisorOptions {
  /** Processes per lane. */
  children?: Partial<Record<Lane, number>>;
  /** One line for the operator. */
  log?: (line: string) => void;
}

/** What happened since the start. */
export interface JudgeCounters {
  submitted: number;
  verdicts: Partial<Record<VerdictKind, number>>;
  refusedBusy: number;
  unavailable: number;
  /** Programs that got no verdict because the machine was too busy to give them their time. */
  starved: number;
  killedForTime: number;
  killedForMemory: number;
  deaths: number;
  retries: number;
  processesStarted: number;
  longestQueue: number;
}

export interface LaneHealth {
  processes: number;
  idle: number;
  busy: number;
  queued: number;
  residentMb: number;
  /** Why the lane's processes do not start; null where they do. */
  problem: string | null;
  /** Milliseconds from submission to verdict, of the latest thousand. */
  p50Ms: number | null;
  p95Ms: number | null;
}

export interface JudgeHealth {
  ok: boolean;
  /** `idle`: nothing has been asked for yet. */
  mode: 'idle' | 'local' | 'remote';
  /** By lane, or by address where judges run on their own. */
  lanes: Record<string, LaneHealth | { ok: boolean }>;
  counters: JudgeCounters | null;
  /** The second layers that the judge's host allows, and those it does not. */
  layers: string[];
  missing: MissingLayer[];
}

interface Job {
  id: number;
  submission: Submission;
  program: Program;
  limits: RunLimits;
  lane: Lane;
  submittedAt: number;
  deaths: number;
  waitTimer: NodeJS.Timeout | undefined;
  resolve: (verdict: Verdict) => void;
  reject: (error: Error) => void;
}

interface LaneState {
  lane: Lane;
  queue: Job[];
  boxes: Box[];
  size: number;
  /** Processes that have ended before they were ready, in a row. */
  failedStarts: number;
  pausedUntil: number;
  preparing: boolean;
  /** Kept for all later processes: sources that change under a running site must not change half of it. */
  built: BuiltLane | null;
  problem: string | null;
  durations: number[];
}

/** Owns the judge's processes: queues, fairness, limits from outside, and recovery. Knows no language. */
export class Supervisor {
  #lanes = new Map<Lane, LaneState>();
  #owners = new Map<string, { running: number; waiting: number }>();
  #layers: SecondLayers | null = null;
  #log: (line: string) => void;
  #children: Partial<Record<Lane, number>>;
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

  /** Judges one submission; see `judge` in client.ts. */
  async judge(submission: Submission, limits: Partial<RunLimits> = {}): Promise<Verdict> {
    checkSubmission(submission);
    const order = runOrder(submission);
    if (order) {
      const { tests } = submission;
      const verdict = await this.judge({ ...submission, tests: order.map((at) => tests[at]!) }, limits);
      return { ...verdict, tests: tests.map((_, at) => verdict.tests[order.indexOf(at)]!) };
    }
    await prepareComparison(submission.language);
    if (this.#stopped) throw new JudgeUnavailable('failed', 'The judge is shutting down.');
    this.#counters.submitted += 1;
    const lane = this.#lane(LANE_OF[submission.language]);
    this.#refuseWhenFull(lane, submission.owner);
    return new Promise((resolve, reject) => {
      this.#lastId += 1;
      const job: Job = {
        id: this.#lastId,
        submission,
        program: programOf(submission),
        limits: { ...DEFAULT_LIMITS[submission.language], ...limits },
        lane: lane.lane,
        submittedAt: performance.now(),
        deaths: 0,
        waitTimer: undefined,
        resolve,
        reject,
      };
      job.waitTimer = setTimeout(() => this.#giveUpWaiting(lane, job), MAX_WAIT_MS);
      job.waitTimer.unref();
      this.#owner(submission.owner).waiting += 1;
      lane.queue.push(job);
      this.#counters.longestQueue = Math.max(this.#counters.longestQueue, lane.queue.length);
      this.#dispatch(lane);
    });
  }

  #lane(lane: Lane): LaneState {
    let state = this.#lanes.get(lane);
    if (!state) {
      state = {
        lane,
        queue: [],
        boxes: [],
        size: this.#children[lane] ?? LANES[lane].children,
        failedStarts: 0,
        pausedUntil: 0,
        preparing: false,
        built: null,
        problem: null,
        durations: [],
      };
      this.#lanes.set(lane, state);
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

  #refuseWhenFull(lane: LaneState, owner: string | undefined): void {
    if (lane.pausedUntil > performance.now()) {
      this.#counters.unavailable += 1;
      const seconds = Math.ceil((lane.pausedUntil - performance.now()) / 1000);
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
    if (lane.queue.length >= MAX_WAITING) {
      this.#counters.refusedBusy += 1;
      throw new JudgeUnavailable('busy', 'Too many programs are waiting to be checked.', 5);
    }
  }

  #giveUpWaiting(lane: LaneState, job: Job): void {
    if (!this.#unqueue(lane, job)) return;
    this.#counters.refusedBusy += 1;
    job.reject(new JudgeUnavailable('busy', 'The judge had no free place in time.', 5));
  }

  #unqueue(lane: LaneState, job: Job): boolean {
    const index = lane.queue.indexOf(job);
    if (index < 0) return false;
    lane.queue.splice(index, 1);
    clearTimeout(job.waitTimer);
    this.#owner(job.submission.owner).waiting -= 1;
    this.#forgetIdleOwner(job.submission.owner);
    return true;
  }

  /** Starts what can start, and the processes that are missing for the rest. */
  #dispatch(lane: LaneState): void {
    if (this.#stopped) return;
    let idle = lane.boxes.filter((box) => box.state === 'idle');
    // The one that has rested longest has its unused sandboxes ready.
    idle.sort((a, b) => a.idleSince - b.idleSince);
    for (const job of [...lane.queue]) {
      if (idle.length === 0) break;
      if (this.#owner(job.submission.owner).running > 0) continue;
      const [box, ...others] = idle;
      idle = others;
      this.#unqueue(lane, job);
      void this.#run(lane, job, box!);
    }
    if (lane.queue.length > 0 || lane.boxes.length > 0) this.#fill(lane);
  }

  async #run(lane: LaneState, job: Job, box: Box): Promise<void> {
    const { submission, program, limits } = job;
    if (!box.languages.includes(submission.language)) {
      const broken = box.failures[submission.language] ?? 'its file could not be loaded';
      this.#fail(job, `${submission.language} cannot be judged: ${broken}`);
      return;
    }
    this.#owner(submission.owner).running += 1;
    const outcome = await box.run({ id: job.id, program, limits });
    this.#owner(submission.owner).running -= 1;
    this.#forgetIdleOwner(submission.owner);
    this.#settle(lane, job, outcome);
    this.#retireWhenGrown(box);
    this.#dispatch(lane);
  }

  #settle(lane: LaneState, job: Job, outcome: Outcome): void {
    if (outcome.type === 'observed') this.#give(lane, job, outcome.observations);
    else if (outcome.type === 'failed') this.#fail(job, outcome.detail);
    else if (outcome.type === 'starved') {
      this.#counters.starved += 1;
      job.reject(new JudgeUnavailable('busy', 'The machine is too busy to run this program.', 5));
    } else if (outcome.type === 'ended') {
      if (outcome.reason === 'time') this.#counters.killedForTime += 1;
      else this.#counters.killedForMemory += 1;
      this.#give(lane, job, outcome.reason);
    } else this.#afterDeath(lane, job, outcome.engine, outcome.detail);
  }

  #give(lane: LaneState, job: Job, seen: Parameters<typeof verdictOf>[1]): void {
    const durationMs = Math.round((performance.now() - job.submittedAt) * 10) / 10;
    let verdict: Verdict;
    try {
      verdict = verdictOf(job.submission, seen, job.limits, durationMs);
    } catch (error) {
      this.#fail(job, String(error));
      return;
    }
    this.#counters.verdicts[verdict.kind] = (this.#counters.verdicts[verdict.kind] ?? 0) + 1;
    lane.durations.push(durationMs);
    if (lane.durations.length > DURATIONS_KEPT) lane.durations.shift();
    job.resolve(verdict);
  }

  /** A process died and nobody killed it: the submission gets one more chance, ahead of all others. */
  #afterDeath(lane: LaneState, job: Job, engine: boolean, detail: string): void {
    this.#counters.deaths += 1;
    job.deaths += 1;
    if (job.deaths === 1 && !this.#stopped) {
      this.#counters.retries += 1;
      this.#log(`judge: a process died during a run, which is tried once more: ${detail}`);
      this.#owner(job.submission.owner).waiting += 1;
      lane.queue.unshift(job);
    } else if (engine) {
      // Twice the same program in two fresh processes, and the engine itself fell: it is the program.
      this.#give(lane, job, 'memory');
    } else this.#fail(job, detail);
  }

  #fail(job: Job, detail: string): void {
    this.#counters.unavailable += 1;
    this.#log(`no verdict for a ${job.submission.language} program: ${detail}`);
    job.reject(new JudgeUnavailable('failed', 'The judge could not check this program. Please try again.'));
  }

  #retireWhenGrown(box: Box): void {
    if (box.state !== 'idle') return;
    if (box.idleMb - box.freshMb > RETIRE_GROWTH_MB || box.runs >= RETIRE_RUNS) box.retire();
  }

  /** Starts processes until the lane has its number. */
  #fill(lane: LaneState): void {
    if (this.#stopped || lane.preparing || lane.boxes.length >= lane.size) return;
    const wait = lane.pausedUntil - performance.now();
    if (wait > 0) return;
    lane.preparing = true;
    this.#prepare(lane)
      .catch((error: unknown) => {
        lane.failedStarts = START_ATTEMPTS;
        this.#pause(lane, String(error));
      })
      .finally(() => {
        lane.preparing = false;
      });
  }

  async #prepare(lane: LaneState): Promise<void> {
    const isNew = !lane.built || !existsSync(lane.built.entry);
    if (isNew) lane.built = await ensureLane(lane.lane);
    const layers = await this.#knowLayers();
    const { built } = lane;
    if (this.#stopped || !built) return;
    if (isNew) this.#tellBuilt(lane.lane, built);
    while (lane.boxes.length < lane.size) {
      this.#counters.processesStarted += 1;
      const box = new Box(
        lane.lane,
        // Artifacts that the engine does not take end a process at once; the slow way needs none.
        { ...built, cold: lane.failedStarts > 0 },
        layers,
        () => {
          lane.failedStarts = 0;
          lane.problem = null;
          for (const [language, why] of Object.entries(box.failures)) {
            this.#log(`judge: ${language} cannot be judged: ${why}`);
          }
          this.#dispatch(lane);
        },
        (_, wasReady) => {
          lane.boxes = lane.boxes.filter((other) => other !== box);
          if (!wasReady && !this.#stopped) {
            lane.failedStarts += 1;
            this.#pause(lane, box.complaint.trim() || 'a process ended before it was ready');
          }
          this.#dispatch(lane);
        },
      );
      lane.boxes.push(box);
    }
  }

  /** Tries the walls out once, and says which are missing: learners' programs are judged without them. */
  async #knowLayers(): Promise<SecondLayers> {
    const layers = await probeLayers();
    if (this.#layers) return layers;
    this.#layers = layers;
    this.#log(`judge: walls besides the isolate: ${layers.on.join(', ')}`);
    for (const { name, means } of layers.off)
      this.#log(`judge: WALL MISSING on this host: ${name}; ${means}`);
    return layers;
  }

  /** After several failed starts in a row: refuses what waits, and tries again later and later. */
  #pause(lane: LaneState, problem: string): void {
    lane.problem = problem;
    if (lane.failedStarts < START_ATTEMPTS) return;
    const pauseMs = Math.min(LONGEST_PAUSE_MS, 1_000 * 2 ** (lane.failedStarts - START_ATTEMPTS));
    lane.pausedUntil = performance.now() + pauseMs;
    this.#log(`judge: the ${lane.lane} lane does not start: ${problem}`);
    for (const job of [...lane.queue]) {
      this.#unqueue(lane, job);
      this.#fail(job, problem);
    }
  }

  #tellBuilt(lane: Lane, { tookMs, problem }: BuiltLane): void {
    if (tookMs !== null) this.#log(`judge: built the ${lane} lane in ${tookMs} ms`);
    if (problem) this.#log(`judge: not all of the ${lane} lane could be built: ${problem.slice(0, 1_000)}`);
  }

  /** Builds what lanes need ahead of the first submission, without starting any, and says which walls are missing. */
  async prepareLanes(): Promise<void> {
    await this.#knowLayers();
    for (const lane of Object.keys(LANES) as Lane[]) {
      if (this.#stopped || isLaneBuilt(lane)) continue;
      await ensureLane(lane).then(
        (built) => this.#tellBuilt(lane, built),
        (error: unknown) => this.#log(`judge: the ${lane} lane could not be built: ${String(error)}`),
      );
    }
  }

  /** Never starts anything. */
  async health(): Promise<JudgeHealth> {
    const lanes: Record<string, LaneHealth> = {};
    for (const [name, { boxes, queue, problem, durations }] of this.#lanes) {
      const sorted = [...durations].sort((a, b) => a - b);
      lanes[name] = {
        processes: boxes.length,
        idle: boxes.filter((box) => box.state === 'idle').length,
        busy: boxes.filter((box) => box.state === 'busy').length,
        queued: queue.length,
        residentMb: Math.round(boxes.reduce((sum, box) => sum + (residentMb(box.pid) ?? 0), 0)),
        problem,
        p50Ms: sorted[Math.floor(sorted.length / 2)] ?? null,
        p95Ms: sorted[Math.floor(sorted.length * 0.95)] ?? null,
      };
    }
    return {
      ok: Object.values(lanes).every((lane) => lane.problem === null),
      mode: 'local',
      lanes,
      counters: structuredClone(this.#counters),
      layers: this.#layers?.on ?? [],
      missing: this.#layers?.off ?? [],
    };
  }

  /** The ids of a lane's processes, or of those that run something; for tests that kill them. */
  processIds(lane: Lane, only?: 'busy'): number[] {
    const boxes = this.#lanes.get(lane)?.boxes ?? [];
    return boxes.flatMap(({ pid, state }) => (pid && (!only || state === only) ? [pid] : []));
  }

  /** Ends all processes and refuses what waits or runs. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const lane of this.#lanes.values()) {
      for (const job of [...lane.queue]) {
        this.#unqueue(lane, job);
        job.reject(new JudgeUnavailable('failed', 'The judge is shutting down.'));
      }
      await Promise.all(lane.boxes.map((box) => box.stop()));
    }
  }
}

/**
 * Hidden tests run after all others: whatever a program manages to carry from one test to the next, no hidden input
 * reaches a test that is shown. Gives the order of the tests, or null where it is theirs already.
 */
function runOrder({ tests }: Submission): number[] | null {
  const order = tests
    .map((_, at) => at)
    .sort((a, b) => Number(tests[a]!.hidden ?? false) - Number(tests[b]!.hidden ?? false));
  return order.some((from, at) => from !== at) ? order : null;
}

function programOf(submission: Submission): Program {
  return {
    language: submission.language,
    code: submission.code,
    fixture: submission.fixture ?? '',
    inputs: submission.tests.map(({ input, mode }) => ({ input, mode: mode ?? 'call' })),
    seed: crypto.getRandomValues(new Uint32Array(1))[0]!,
  };
}

/** Throws `InvalidSubmission` naming what the judge does not take. */
function checkSubmission(submission: Submission): void {
  const { language, code, tests, fixture = '' } = submission;
  if (!LANGUAGES.includes(language)) throw new InvalidSubmission('language: must be one of the five');
  if (code.length > CODE_LIMIT) throw new InvalidSubmission('code: must be at most 256 KB');
  if (fixture.length > CODE_LIMIT) throw new InvalidSubmission('fixture: must be at most 256 KB');
  if (tests.length > TEST_LIMIT) throw new InvalidSubmission('tests: must be at most 100');
  for (const { input, expectedOutput } of tests) {
    if (input.length > CODE_LIMIT || expectedOutput.length > CODE_LIMIT) {
      throw new InvalidSubmission('tests: inputs and expected outputs must be at most 256 KB each');
    }
  }
}
