import type { ReactNode } from 'react';
import type { Condition, Effect } from '#src/features/scenario/scenario.ts';

/** The fields of `T` that hold a `V`. */
type Holding<T, V> = {
  [K in keyof T & string]-?: NonNullable<T[K]> extends V ? K : never;
}[keyof T & string];

interface Labels {
  label: string;
  hint?: string;
  required?: true;
  /** May be left out; an optional text that is empty is left out of the file, too. */
  optional?: true;
  className?: string;
}

/** What a form may need beside the item itself. */
export interface FormOf<T> {
  item: T;
  /** Its place in the draft, such as `rules.3`; empty for the draft itself. */
  at: string;
  /** Names the item for screen readers: "Rule 4". */
  name: string;
  /** The items beside it. */
  others: readonly T[];
  /** Sets some of its fields; undefined takes a field away. */
  onChange: (part: Partial<T>) => void;
}

/** A field of a form: how it is typed, which value it holds, and its words. */
export type FieldOf<T> =
  | (Labels & {
      as: 'line';
      name: Holding<T, string>;
      max?: number;
      /** What changes once it was typed, if anything. */
      onLeave?: (item: T, others: readonly T[]) => Partial<T> | undefined;
    })
  | (Labels & { as: 'block'; name: Holding<T, string>; max: number; rows?: number })
  | (Labels & { as: 'markdown'; name: Holding<T, string>; max: number })
  | (Labels & { as: 'number'; name: Holding<T, number>; initial?: number })
  | (Labels & { as: 'lines'; name: Holding<T, string[]>; rows?: number })
  | (Labels & { as: 'groups'; name: Holding<T, string[][]> })
  | (Labels & { as: 'check'; name: Holding<T, boolean>; initial?: boolean })
  | (Labels & {
      as: 'choice';
      name: Holding<T, string>;
      initial?: string;
      options: readonly { value: string; label: string }[];
    })
  | (Labels & { as: 'condition'; name: Holding<T, Exclude<Condition, null>> })
  | { as: 'effects'; name: Holding<T, readonly Partial<Effect>[]> }
  /** Fields side by side. */
  | { as: 'row'; name: string; className: string; fields: readonly FieldOf<T>[] }
  /** What no other form has. */
  | { as: 'other'; name: string; draw: (form: FormOf<T>) => ReactNode };

/** An item with some of its fields set; undefined takes a field away. */
export function withPart<T extends object>(item: T, part: Partial<T>): T {
  const fields = Object.entries({ ...item, ...part }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(fields) as T;
}
