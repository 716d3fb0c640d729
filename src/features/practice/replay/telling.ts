import type { RanReplay } from './schema.ts';

/** A recorded run: its steps, and all that it printed. */
export type Recorded = Pick<RanReplay, 'steps' | 'isWhole' | 'output'>;

/** Where a program first does something else than the author's; `step` is null where that cannot be told. */
export interface Divergence {
  step: number | null;
  says: string;
}

/** Of a value in a sentence: printed lines may be long. */
const SHOWN = 80;

/** A value as a sentence tells it. */
export const short = (text: string) =>
  text.length > SHOWN ? `${text.slice(0, SHOWN - 1)}…` : text || 'an empty line';
