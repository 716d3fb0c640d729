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

let first: Timer | null = null;
let lastId = 0;
let count = 0;
let shortestMs = 1;

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
  // As browsers and Node do: what is no number of milliseconds is the shortest wait.
  const wished = +(delay as number);
  const least = repeat ? 1 : shortestMs;
  const ms = wished >= least && wished <= 2_147_483_647 ? wished : least;
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

/** Takes the next timer due within `untilMs` of virtual time, and moves the clock. */
export function takeTimer(untilMs: number): (() => void) | 'none' | 'later' {
  const timer = first;
  if (!timer) return 'none';
  if (timer.at > untilMs) return 'later';
  first = timer.next;
  count -= 1;
  if (timer.at > waitedMs()) advanceClock(timer.at - waitedMs());
  if (timer.every !== null) insert({ ...timer, at: timer.at + timer.every });
  return timer.run;
}

export const setTimeout = (callback: unknown, delay?: unknown, ...values: unknown[]): number =>
  add(callback, delay, false, values);
export const setInterval = (callback: unknown, delay?: unknown, ...values: unknown[]): number =>
  add(callback, delay, true, values);
export const setImmediate = (callback: unknown, ...values: unknown[]): number =>
  add(callback, 0, false, values);
export const clearTimeout = remove;
export const clearInterval = remove;
export const clearImmediate = remove;

/** A timer may be due at once, as in browsers; Node's wait is a millisecond. */
export function allowNoWait(): void {
  shortestMs = 0;
}

/** Timers on a virtual clock take no time and fire in the same order. */
export function installTimers(): void {
  const own = { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate };
  for (const name of kept.keys(own)) define(globalThis, name, own[name as keyof typeof own]);
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
