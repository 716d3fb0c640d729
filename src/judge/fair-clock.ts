import { die, tellAgain } from './comparing/answers.ts';
import type { RunLimits } from './runner.ts';

/** A look may take so much longer than a test's limit: even an idle machine gives a program less than all of its time. */
const FIRST_LOOK = 1.05;
/** A later one, besides what the machine's load asks for. */
const LATER_LOOK = 1.25;
/** A program that got less than this part of a processor has hardly run: the machine is too busy to try again. */
const STARVED_BELOW = 0.03;
/** The wall clock's part in all this: a submission may take so much longer than its processor time. */
const OUTER_MS = 16_000;
/** The second tier: what an isolate's own limit did not stop is disposed of, and then the process ends itself. */
const DISPOSE_AFTER_MS = 250;
const DIE_AFTER_MS = 500;
const GUARD_MS = 40;

/** No verdict: others took so much of the machine that a program did not get its time within the outer bound. */
export class TooBusy extends Error {
  override name = 'TooBusy';

  constructor() {
    super('The machine is too busy to run this program.');
  }
}

/** Milliseconds that a submission of these limits may take by the wall clock. */
export function outerMs({ totalMs }: Pick<RunLimits, 'totalMs'>): number {
  return totalMs + OUTER_MS;
}

/**
 * Processor time, in milliseconds, that this process has had on other threads than its main one: which is where
 * programs run, one at a time. (An isolate's own `cpuTime` is the wall clock's while it runs.)
 */
export function computedMs(): number {
  const { user, system } = process.cpuUsage();
  const main = process.threadCpuUsage();
  return (user + system - main.user - main.system) / 1_000;
}

/** One attempt to run a test, with the wall clock as a limit. */
export interface Look {
  /** Processor time that the test has. */
  budgetMs: number;
  wallMs: number;
}

interface Around<T> {
  /** What a look needs; its time is not the program's. */
  prepare?: () => Promise<unknown>;
  /** The result of a test that ended, but only because a later look gave it more than its time. */
  outOfTime?: () => T;
}

/** What a look gave; `isOutOfTime` where the wall clock ended it. */
export interface Seen<T> {
  result: T;
  isOutOfTime: boolean;
}

/**
 * The time of one submission. Limits count the processor time of the program; a test that the wall clock ended before
 * it had its time is run again, with as much more of the wall clock as the machine's load asks for.
 */
export class FairClock {
  readonly endsAt: number;
  readonly #limits: RunLimits;
  readonly #slackMs: number;
  #spentMs = 0;
  readonly #isWatched: boolean;
  /** The part of a processor that a look got which ended too early. */
  #share = 1;

  /**
   * `slackMs`: processor time that the language's own threads may add to that of a test. `isWatched`: the language
   * ends a program by its processor time itself, so that a look has as much of the wall clock as there is.
   */
  constructor(limits: RunLimits, { slackMs = 0, isWatched = false } = {}) {
    this.#limits = limits;
    this.#slackMs = slackMs;
    this.#isWatched = isWatched;
    this.endsAt = performance.now() + outerMs(limits);
  }

  /** Processor time that is left of the submission's. */
  get leftMs(): number {
    return this.#limits.totalMs - this.#spentMs;
  }

  /** Whether a program has had a limit's processor time, or all that the outer bound allows for. */
  #hadItsTime(computed: number, budgetMs: number): boolean {
    return computed >= budgetMs + this.#slackMs;
  }

  #look(): Look {
    const budgetMs = Math.min(this.#limits.testMs, this.leftMs);
    const outerLeftMs = this.endsAt - performance.now();
    if (outerLeftMs < budgetMs) throw new TooBusy();
    if (this.#isWatched) return { budgetMs, wallMs: outerLeftMs };
    const factor = this.#share === 1 ? FIRST_LOOK : LATER_LOOK / this.#share;
    return { budgetMs, wallMs: Math.min(outerLeftMs, (budgetMs + this.#slackMs) * factor) };
  }

  /**
   * Runs a test until it has ended or has had its time. Throws `TooBusy` where there is no verdict.
   */
  async observe<T>(
    see: (look: Look) => Promise<Seen<T>>,
    { prepare, outOfTime }: Around<T> = {},
  ): Promise<T> {
    for (;;) {
      await prepare?.();
      const look = this.#look();
      const isWide = this.#share < 1;
      const before = computedMs();
      const seen = await see(look);
      const computed = computedMs() - before;
      const isOver = this.#hadItsTime(computed, look.budgetMs);
      if (!seen.isOutOfTime || isOver) {
        this.#spentMs += computed;
        return outOfTime && isWide && isOver && !seen.isOutOfTime ? outOfTime() : seen.result;
      }
      // Where the language watched, all of the wall clock's time has passed: the next turn says so.
      this.#share = Math.min(0.99, computed / look.wallMs);
      if (this.#share < STARVED_BELOW) throw new TooBusy();
      tellAgain();
    }
  }
}

/** The second tier of an isolate's time. */
export interface Guard {
  /** The isolate's own limit ends its call in so many milliseconds. */
  begin: (wallMs: number) => void;
  /** The isolate has nothing to run. */
  rest: () => void;
  /** Ends the guard. */
  stop: () => void;
}

/**
 * One timer for all calls of a submission: setting two for each costs more than a short test takes. It counts what is
 * computed after the limit: a process that was stopped, or waits for a processor, had no chance to end its program.
 */
export function guardOf(dispose: () => void): Guard {
  let deadline = Number.POSITIVE_INFINITY;
  let computedAtDeadline: number | null = null;
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    timer = undefined;
    if (deadline === Number.POSITIVE_INFINITY) return;
    const leftMs = deadline - performance.now();
    if (leftMs > 0) return wake(leftMs);
    computedAtDeadline ??= computedMs();
    const late = computedMs() - computedAtDeadline;
    if (late >= DIE_AFTER_MS) die('time');
    if (late >= DISPOSE_AFTER_MS) dispose();
    wake(GUARD_MS);
  };
  const wake = (inMs: number) => {
    timer = setTimeout(look, Math.max(1, Math.ceil(inMs)));
  };
  return {
    begin: (wallMs) => {
      deadline = performance.now() + wallMs;
      computedAtDeadline = null;
      // One that was set for an earlier call wakes before this one's time is up, and then waits on.
      if (!timer) wake(wallMs + GUARD_MS);
    },
    rest: () => {
      deadline = Number.POSITIVE_INFINITY;
    },
    stop: () => {
      deadline = Number.POSITIVE_INFINITY;
      clearTimeout(timer);
    },
  };
}

/** Ends an isolate, which a limit may be ending at the same time. */
export function endIsolate(isolate: { isDisposed: boolean; dispose: () => void }): void {
  try {
    if (!isolate.isDisposed) isolate.dispose();
  } catch {
    // Disposed already, by a limit.
  }
}
