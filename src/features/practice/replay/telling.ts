import type { RanReplay } from './schema.ts';

/** A recorded run: its steps, and all that it printed. */
export type Recorded = Pick<RanReplay, 'steps' | 'asked' | 'isWhole' | 'output'> & {
  /** The name of the error that ended it. */
  error: string | null;
};

/** Where a program first does something else than the author's; `step` is null where that cannot be told. */
export interface Divergence {
  step: number | null;
  says: string;
  /** A step tells what has changed before it: the line before has done it. */
  isBefore?: boolean;
  /** The variable whose value in the author's program is told. */
  name?: string;
}

/** Whether the value of a variable in the author's program may be told. */
export type MayTell = (name: string) => boolean;

/** Of a value in a sentence: printed lines may be long. */
const SHOWN = 80;

/** A value as a sentence tells it. */
export const short = (text: string) =>
  text.length > SHOWN ? `${text.slice(0, SHOWN - 1)}…` : text || 'an empty line';

/** Whether two values of variables are the same to a learner: a number and its digits as a text are a choice of type. */
export const isSame = (one: string, other: string) => one === other || bare(one) === bare(other);

const bare = (text: string) => text.replace(/^(['"])(.*)\1$/s, '$2');
