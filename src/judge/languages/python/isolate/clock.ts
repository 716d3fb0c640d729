/** Taken here, before `installClock` puts another in its place. */
const realNow = Date.now;
const started = realNow();
let skewMs = 0;
let lastNow = 0;

/** By the real clock, whatever a program has done to its own. */
export function realTime(): number {
  return realNow();
}

export function skip(ms: number): void {
  skewMs += ms;
}

export function resetClock(): void {
  skewMs = 0;
}

/** Milliseconds, never the same twice: programs divide by the time they took. */
export function elapsed(): number {
  lastNow = Math.max(lastNow + 0.001, realNow() - started + skewMs);
  return lastNow;
}

export function installClock(): void {
  Date.now = () => realNow() + skewMs;
}
