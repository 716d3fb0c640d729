import { writeSync } from 'node:fs';
import { type ChildFrame, frameBytes } from '#src/judge/frames.ts';
import type { Observation } from '#src/judge/runner.ts';

/** A child's answers go through a pipe of their own: whatever a library prints cannot be taken for one. */
const ANSWERS_FD = 3;

export function endAtOnce(): void {
  process.kill(process.pid, 'SIGKILL');
  // The first process of a namespace of its own is spared its own signals.
  process.abort();
}

export function send(frame: ChildFrame): void {
  const bytes = Buffer.from(frameBytes(frame));
  try {
    for (let from = 0; from < bytes.length; ) from += writeSync(ANSWERS_FD, bytes, from);
  } catch {
    endAtOnce();
  }
}

export function tellAgain(): void {
  send({ type: 'again' });
}

/** Sends what counts should the next step end this child. */
export function foresee(observations: Observation[]): void {
  send({ type: 'so_far', observations });
}

/** For isolated-vm's `onCatastrophicError`: out of memory, or five seconds without an end. */
export function dieOfEngine(message: unknown): void {
  die(/failed to terminate/i.test(String(message)) ? 'time' : 'memory');
}

/**
 * Ends this child for what a program did, with the reason: its sandbox no longer stops, or the engine is out
 * of memory.
 */
export function die(reason: 'time' | 'memory'): void {
  send({ type: 'dying', reason });
  endAtOnce();
}
