import { useState } from 'react';
import { useLatest } from '#src/components/use-latest.ts';
import { useEditor } from './ScenarioFields.tsx';

export interface Items<T> {
  items: readonly T[];
  keys: readonly string[];
  fresh: string | null;
  change: (index: number, item: T) => void;
  add: (item: T, after?: number) => string;
  move: (index: number, by: 1 | -1) => void;
  remove: (index: number, label: string) => void;
}

let made = 0;
const newKey = () => {
  made += 1;
  return `item-${made}`;
};

export function useItems<T>(items: readonly T[], onChange: (items: T[]) => void): Items<T> {
  const { removed } = useEditor();
  const [known, setKnown] = useState(() => items.map(newKey));
  // Another length means another list, as after an import.
  const keys = known.length === items.length ? known : items.map((_, index) => known[index] ?? newKey());
  if (keys !== known) setKnown(keys);
  const [fresh, setFresh] = useState<string | null>(null);
  // Several steps may be taken before the page is drawn again, and a deleted item may come back later.
  const now = useLatest({ items, keys, onChange });
  const set = (nextItems: T[], nextKeys: string[]) => {
    now.current = { ...now.current, items: nextItems, keys: nextKeys };
    setKnown(nextKeys);
    now.current.onChange(nextItems);
  };
  const insert = (item: T, index: number, key: string) =>
    set(now.current.items.toSpliced(index, 0, item), now.current.keys.toSpliced(index, 0, key));
  return {
    items,
    keys,
    fresh,
    change: (index, item) => set(now.current.items.with(index, item), now.current.keys),
    add: (item, after = now.current.items.length - 1) => {
      const key = newKey();
      setFresh(key);
      insert(item, after + 1, key);
      return key;
    },
    move: (index, by) => {
      const { items: all, keys: names } = now.current;
      const [item, other] = [all[index], all[index + by]];
      if (item === undefined || other === undefined) return;
      set(
        all.with(index, other).with(index + by, item),
        names.with(index, names[index + by]!).with(index + by, names[index]!),
      );
    },
    remove: (index, label) => {
      const { items: all, keys: names } = now.current;
      const item = all[index];
      if (item === undefined) return;
      const key = names[index]!;
      set(all.toSpliced(index, 1), names.toSpliced(index, 1));
      removed(`“${label}” was deleted.`, () => insert(item, Math.min(index, now.current.items.length), key));
    },
  };
}
