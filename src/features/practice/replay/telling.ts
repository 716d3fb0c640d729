import type { RanReplay } from './schema.ts';

export type Recorded = Pick<RanReplay, 'steps' | 'asked' | 'isWhole' | 'output'> & {
  error: string | null;
};

/** `step` is null where unknown. */
export interface Divergence {
  step: number | null;
  says: string;
  isBefore?: boolean;
  name?: string;
}

export type MayTell = (name: string) => boolean;

const SHOWN = 80;

export const short = (text: string) =>
  text.length > SHOWN ? `${text.slice(0, SHOWN - 1)}…` : text || 'an empty line';

/** A number and its digits as a text are the same to a learner. */
export const isSame = (one: string, other: string) => one === other || bare(one) === bare(other);

const bare = (text: string) => text.replace(/^(['"])(.*)\1$/s, '$2');
