import { writeSync } from 'node:fs';
import { type ChildFrame, frameBytes } from './frames.ts';

/** A child's answers go through a pipe of their own: whatever a library prints cannot be taken for one. */
export const ANSWERS_FD = 3;

/** Ends this process without running anything more of it. */
export function endAtOnce(): void {
  process.kill(process.pid, 'SIGKILL');
}

/**
 * Ends this child for what a program did to it, telling the supervisor why first: for languages whose sandbox does not
 * stop any more, and for an engine that ran out of memory.
 */
export function die(reason: 'time' | 'memory'): void {
  try {
    const frame: ChildFrame = { type: 'dying', reason };
    writeSync(ANSWERS_FD, frameBytes(frame));
  } finally {
    endAtOnce();
  }
}
