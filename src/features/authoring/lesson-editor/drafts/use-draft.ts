import { useCallback, useEffect, useRef, useState } from 'react';
import { draftAt } from '#src/shared/drafts.ts';

/** Milliseconds without a change before a draft is written. */
const REST_MS = 400;

/**
 * - `asking`: an older draft awaits a decision
 * - `impossible`: this browser stores nothing
 * - `elsewhere`: another tab changes the same
 * - `ended`: another tab saved it, or discarded its draft
 */
export type Keeping = 'yes' | 'asking' | 'impossible' | 'elsewhere' | 'ended';

/**
 * Stores what a form holds in this browser until it is saved.
 * @param parse a stable function
 * @param isNew leaving asks first: no list shows what exists on this device alone
 */
export function useDraft<K extends { keptAt: string }>(
  key: string,
  parse: (text: string | null) => K | null,
  isNew: boolean,
) {
  const [found, setFound] = useState<K | null>(null);
  const [keeping, setKeeping] = useState<Keeping>('yes');
  const [isUnsaved, setIsUnsaved] = useState(false);
  const now = useRef<{
    keeping: Keeping;
    held: Omit<K, 'keptAt'> | null;
    timer?: ReturnType<typeof setTimeout>;
  }>({
    keeping: 'yes',
    held: null,
  });
  const become = useCallback((next: Keeping) => {
    now.current.keeping = next;
    setKeeping(next);
  }, []);

  const write = useCallback(() => {
    const { held, keeping } = now.current;
    clearTimeout(now.current.timer);
    if (held === null || (keeping !== 'yes' && keeping !== 'impossible')) return;
    const text = JSON.stringify({ ...held, keptAt: new Date().toISOString() });
    const next = draftAt(key).write(text) ? 'yes' : 'impossible';
    if (next !== keeping) become(next);
  }, [key, become]);

  useEffect(() => {
    const kept = parse(draftAt(key).read());
    if (kept) {
      setFound(kept);
      become('asking');
    }
    const onStorage = (event: StorageEvent) => {
      if (event.key === key) become(event.newValue === null ? 'ended' : 'elsewhere');
    };
    const onBeforeUnload = (event: BeforeUnloadEvent) => {
      if (now.current.held !== null && (isNew || now.current.keeping !== 'yes')) event.preventDefault();
    };
    addEventListener('storage', onStorage);
    addEventListener('beforeunload', onBeforeUnload);
    addEventListener('pagehide', write);
    return () => {
      removeEventListener('storage', onStorage);
      removeEventListener('beforeunload', onBeforeUnload);
      removeEventListener('pagehide', write);
    };
  }, [key, parse, become, write, isNew]);

  return {
    found,
    keeping,
    isUnsaved,
    keep(held: Omit<K, 'keptAt'>) {
      now.current.held = held;
      setIsUnsaved(true);
      clearTimeout(now.current.timer);
      now.current.timer = setTimeout(write, REST_MS);
    },
    restore() {
      setIsUnsaved(true);
      setFound(null);
      become('yes');
    },
    discard() {
      draftAt(key).clear();
      setFound(null);
      become('yes');
      write();
    },
    takeOver() {
      become('yes');
      write();
    },
    saved() {
      clearTimeout(now.current.timer);
      now.current.held = null;
      setIsUnsaved(false);
      // An undecided draft, or another tab's, must stay.
      if (now.current.keeping !== 'elsewhere' && now.current.keeping !== 'asking') draftAt(key).clear();
    },
  };
}
