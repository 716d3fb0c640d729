import type { Observation, Program, RunLimits } from './runner.ts';
import type { Language } from './protocol.ts';

export interface RunFrame {
  id: number;
  program: Program;
  limits: RunLimits;
}

/** `so_far` gives the observations that count should it end otherwise. */
export type ChildFrame =
  | { type: 'ready'; languages: Language[]; failed: Partial<Record<Language, string>> }
  | { type: 'done'; id: number; observations: Observation[] }
  | { type: 'failed'; id: number; message: string }
  | { type: 'starved'; id: number }
  | { type: 'again' }
  | { type: 'so_far'; observations: Observation[] }
  | { type: 'dying'; reason: 'time' | 'memory' };

/** A hundred tests with full values and outputs stay below, as JSON. */
const FRAME_LIMIT = 48 * 1_048_576;

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

export function frameBytes(frame: RunFrame | ChildFrame): string {
  return `${JSON.stringify(frame)}\n`;
}
