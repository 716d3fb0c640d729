import { advanceClock, define, kept, waitedMs } from './intrinsics.ts';

/** A program that would wait longer than this is taken for one that never ends. */
export const LONGEST_WAIT_MS = 60_000;
const MAX_TIMERS = 10_000;

interface Timer {
  id: number;
  at: number;
  every: number | null;
  run: () => void;
  next: Timer | null;
}

/** In the order in which they are due; a list of our own, which no changed prototype reaches. */
let first: Timer | null = null;
let lastId = 0;
let count = 0;

function insert(timer: Timer): void {
  let before: Timer | null = null;
  let after = first;
  while (after && after.at <= timer.at) {
    before = after;
    after = after.next;
  }
  timer.next = after;
  if (before) before.next = timer;
  else first = timer;
  count += 1;
}

function remove(id: unknown): void {
  let before: Timer | null = null;
  for (let timer = first; timer; timer = timer.next) {
    if (timer.id === id) {
      if (before) before.next = timer.next;
      else first = timer.next;
      count -= 1;
      return;
    }
    before = timer;
  }
}

function add(callback: unknown, delay: unknown, repeat: boolean, values: unknown[]): number {
  if (typeof callback !== 'function') {
    throw new kept.TypeError('The "callback" argument must be of type function.');
  }
  if (count >= MAX_TIMERS) throw new kept.RangeError('Too many timers are waiting.');
  // As browsers and Node do: anything that is no number of milliseconds is 1.
  const wished = +(delay as number);
  const ms = wished >= 1 && wished <= 2_147_483_647 ? wished : 1;
  lastId += 1;
  insert({
    id: lastId,
    at: waitedMs() + ms,
    every: repeat ? ms : null,
    run: () => kept.apply(callback, undefined, values),
    next: null,
  });
  return lastId;
}

/** What became of the next timer. */
export type Step = 'ran' | 'none' | 'too long';

/**
 * Moves the clock to the next timer and runs it. Whoever calls it returns to the engine in between, so that promises are
 * worked off after each timer, as an event loop does.
 */
export function runNextTimer(): Step {
  const timer = first;
  if (!timer) return 'none';
  if (timer.at > LONGEST_WAIT_MS) return 'too long';
  first = timer.next;
  count -= 1;
  advanceClock(timer.at - waitedMs());
  if (timer.every !== null) insert({ ...timer, at: timer.at + timer.every });
  timer.run();
  return 'ran';
}

/** Gives the program timers on a virtual clock: they take no time and always fire in the same order. */
export function installTimers(): void {
  define(globalThis, 'setTimeout', (callback: unknown, delay?: unknown, ...values: unknown[]) =>
    add(callback, delay, false, values),
  );
  define(globalThis, 'setInterval', (callback: unknown, delay?: unknown, ...values: unknown[]) =>
    add(callback, delay, true, values),
  );
  define(globalThis, 'setImmediate', (callback: unknown, ...values: unknown[]) =>
    add(callback, 0, false, values),
  );
  for (const name of ['clearTimeout', 'clearInterval', 'clearImmediate']) define(globalThis, name, remove);
  define(globalThis, 'queueMicrotask', (callback: unknown) => {
    if (typeof callback !== 'function') {
      throw new kept.TypeError('The "callback" argument must be of type function.');
    }
    void (async () => {
      await undefined;
      kept.apply(callback, undefined, []);
    })();
  });
}
