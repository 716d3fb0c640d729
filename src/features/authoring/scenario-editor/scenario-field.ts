import type { ReactNode } from 'react';
import type { Condition, Effect } from '#src/features/scenario/scenario.ts';

type Holding<T, V> = {
  [K in keyof T & string]-?: NonNullable<T[K]> extends V ? K : never;
}[keyof T & string];

interface Labels {
  label: string;
  hint?: string;
  required?: true;
  optional?: true;
  className?: string;
}

export interface FormOf<T> {
  item: T;
  at: string;
  name: string;
  others: readonly T[];
  onChange: (part: Partial<T>) => void;
}

export type FieldOf<T> =
  | (Labels & {
      as: 'line';
      name: Holding<T, string>;
      max?: number;
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
  | { as: 'row'; name: string; className: string; fields: readonly FieldOf<T>[] }
  | { as: 'other'; name: string; draw: (form: FormOf<T>) => ReactNode };

export function withPart<T extends object>(item: T, part: Partial<T>): T {
  const fields = Object.entries({ ...item, ...part }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(fields) as T;
}
