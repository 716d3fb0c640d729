import { die, tellAgain } from './comparing/answers.ts';
import type { RunLimits } from './runner.ts';

/** Even an idle machine gives a program less than all of its time. */
const FIRST_LOOK = 1.05;
const LATER_LOOK = 1.25;
/** The machine is too busy to try again. */
const STARVED_BELOW = 0.03;
const OUTER_MS = 16_000;
/** The second tier: after so long the isolate is disposed of, and then the process ends itself. */
const DISPOSE_AFTER_MS = 250;
const DIE_AFTER_MS = 500;
const GUARD_MS = 40;

/** No verdict: the machine was too busy to give a program its time. */
export class TooBusy extends Error {
  override name = 'TooBusy';

  constructor() {
    super('The machine is too busy to run this program.');
  }
}

/** Milliseconds by the wall clock. */
export function outerMs({ totalMs }: Pick<RunLimits, 'totalMs'>): number {
  return totalMs + OUTER_MS;
}

/** Milliseconds on other threads than the main one: programs run there, one at a time. */
export function computedMs(): number {
  const { user, system } = process.cpuUsage();
  const main = process.threadCpuUsage();
  return (user + system - main.user - main.system) / 1_000;
}

export interface Look {
  /** Processor time. */
  budgetMs: number;
  wallMs: number;
}

interface Around<T> {
  prepare?: () => Promise<unknown>;
  /** For a test that ended only because a later look gave it more than its time. */
  outOfTime?: () => T;
}

export interface Seen<T> {
  result: T;
  isOutOfTime: boolean;
}

export class FairClock {
  readonly endsAt: number;
  readonly #limits: RunLimits;
  readonly #slackMs: number;
  #spentMs = 0;
  readonly #isWatched: boolean;
  #share = 1;

  /** `isWatched`: the language ends a program by processor time, so a look has all of the wall clock. */
  constructor(limits: RunLimits, { slackMs = 0, isWatched = false } = {}) {
    this.#limits = limits;
    this.#slackMs = slackMs;
    this.#isWatched = isWatched;
    this.endsAt = performance.now() + outerMs(limits);
  }

  get leftMs(): number {
    return this.#limits.totalMs - this.#spentMs;
  }

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

  /** @throws {TooBusy} where there is no verdict */
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

export interface Guard {
  /** The isolate's own limit ends its call in so many milliseconds. */
  begin: (wallMs: number) => void;
  rest: () => void;
  stop: () => void;
}

/** One timer for all calls: setting two for each costs more than a short test. */
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
      // A timer of an earlier call wakes before this one's time is up, and then waits on.
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

export function endIsolate(isolate: { isDisposed: boolean; dispose: () => void }): void {
  try {
    if (!isolate.isDisposed) isolate.dispose();
  } catch {
    // Disposed already, by a limit.
  }
}
