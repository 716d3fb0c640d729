import type { Observation, Program, RunLimits } from './runner.ts';
import type { Language } from './protocol.ts';

/** What the supervisor sends to a child: one submission at a time. */
export interface RunFrame {
  id: number;
  program: Program;
  limits: RunLimits;
}

/**
 * What a child sends back. `dying` comes before a child ends itself for what the program did to it; `so_far` gives the
 * observations that count should it end otherwise; `again` says that a test did not get its time and is run again;
 * `starved` that there is no verdict for that reason.
 */
export type ChildFrame =
  | { type: 'ready'; languages: Language[]; failed: Partial<Record<Language, string>> }
  | { type: 'done'; id: number; observations: Observation[] }
  | { type: 'failed'; id: number; message: string }
  | { type: 'starved'; id: number }
  | { type: 'again' }
  | { type: 'so_far'; observations: Observation[] }
  | { type: 'dying'; reason: 'time' | 'memory' };

/** Longest frame, in bytes: a hundred tests whose values and outputs are full, as JSON, stay below. */
const FRAME_LIMIT = 48 * 1_048_576;

/**
 * Gives a function that takes pieces of a stream and hands on each complete line, parsed as JSON.
 * `onFault` is called once when a line is too long or no JSON; nothing is handed on after it.
 */
export function readFrames(onFrame: (frame: unknown) => void, onFault: () => void): (chunk: Buffer) => void {
  let pieces: Buffer[] = [];
  let size = 0;
  let faulty = false;
  const take = (piece: Buffer) => {
    pieces.push(piece);
    size += piece.length;
    faulty = size > FRAME_LIMIT;
  };
  const parse = (): unknown => {
    const line = Buffer.concat(pieces).toString('utf8');
    pieces = [];
    size = 0;
    try {
      return JSON.parse(line);
    } catch {
      faulty = true;
      return null;
    }
  };
  return (chunk) => {
    if (faulty) return;
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0 && !faulty; end = chunk.indexOf(10, from)) {
      take(chunk.subarray(from, end));
      from = end + 1;
      const frame = parse();
      if (!faulty) onFrame(frame);
    }
    if (!faulty && from < chunk.length) take(chunk.subarray(from));
    if (faulty) {
      pieces = [];
      onFault();
    }
  };
}

/** One frame as it goes through a pipe. JSON escapes line breaks, so a line is a frame. */
export function frameBytes(frame: RunFrame | ChildFrame): string {
  return `${JSON.stringify(frame)}\n`;
}
