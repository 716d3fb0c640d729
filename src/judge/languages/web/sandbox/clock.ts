/**
 * Time inside a web sandbox: it stands still until a step moves it, so that a program with timers gives the same
 * answer every time and a test never waits (decision 49).
 */

interface Timer {
  id: number;
  at: number;
  run: () => void;
  /** Milliseconds between two calls of an interval; null for a single call. */
  every: number | null;
}

let now = 0;
let startedAt = 0;
let nextId = 1;
let timers: Timer[] = [];

const NativeDate = Date;

function add(callback: unknown, delay: unknown, args: unknown[], repeats: boolean): number {
  const wait = Math.max(Number(delay) || 0, repeats ? 1 : 0);
  const run = () => {
    if (typeof callback === 'function') callback(...args);
  };
  const timer = { id: nextId++, at: now + wait, run, every: repeats ? wait : null };
  timers.push(timer);
  return timer.id;
}

export const setTimeout = (callback: unknown, delay?: unknown, ...args: unknown[]): number =>
  add(callback, delay, args, false);

export const setInterval = (callback: unknown, delay?: unknown, ...args: unknown[]): number =>
  add(callback, delay, args, true);

export function clearTimeout(id: unknown): void {
  timers = timers.filter((timer) => timer.id !== id);
}

export const clearInterval = clearTimeout;

/** Milliseconds of virtual time since the sandbox was opened. */
export const performance = { now: () => now, timeOrigin: 0, mark() {}, measure() {} };

/** Sets the wall clock from which virtual time counts on; `epochMs` as of `Date.now()`. */
export function startClock(epochMs: number): void {
  startedAt = epochMs - now;
}

/** The next timer that is due within `untilMs` of virtual time, taken off the list; the clock moves to it. */
export function takeDueTimer(untilMs: number): (() => void) | null {
  let next: Timer | undefined;
  for (const timer of timers) {
    if (timer.at > untilMs) continue;
    if (!next || timer.at < next.at || (timer.at === next.at && timer.id < next.id)) next = timer;
  }
  if (!next) return null;
  now = Math.max(now, next.at);
  if (next.every === null) clearTimeout(next.id);
  else next.at = now + next.every;
  return next.run;
}

export const currentTime = (): number => now;

export function moveClockTo(timeMs: number): void {
  now = Math.max(now, timeMs);
}

/** `Date` with the virtual clock behind `new Date()` and `Date.now()`. */
export class VirtualDate extends NativeDate {
  constructor(...args: unknown[]) {
    if (args.length === 0) super(startedAt + now);
    else super(...(args as []));
  }

  static override now(): number {
    return startedAt + now;
  }
}
