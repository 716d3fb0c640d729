import { useCallback, useEffect, useRef, useState } from 'react';
import { draftAt } from '#src/shared/drafts.ts';

/** Milliseconds without a change after which the draft is kept. */
const REST_MS = 400;

/**
 * - `yes`: what is typed is kept
 * - `asking`: an older draft is there, and nobody has said yet what is to become of it
 * - `impossible`: this browser keeps nothing
 * - `elsewhere`: another tab changes the same
 * - `ended`: another tab saved it, or discarded its draft
 */
export type Keeping = 'yes' | 'asking' | 'impossible' | 'elsewhere' | 'ended';

/**
 * Keeps what a form holds in this browser until it is saved.
 *
 * @param parse reads what was kept, null for nothing; the same function each time
 */
export function useDraft<K extends { keptAt: string }>(
  key: string,
  parse: (text: string | null) => K | null,
) {
  const [found, setFound] = useState<K | null>(null);
  const [keeping, setKeeping] = useState<Keeping>('yes');
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
      if (now.current.held !== null && now.current.keeping !== 'yes') event.preventDefault();
    };
    addEventListener('storage', onStorage);
    addEventListener('beforeunload', onBeforeUnload);
    // A page that is left within the rest keeps its last keystrokes too.
    addEventListener('pagehide', write);
    return () => {
      removeEventListener('storage', onStorage);
      removeEventListener('beforeunload', onBeforeUnload);
      removeEventListener('pagehide', write);
    };
  }, [key, parse, become, write]);

  return {
    found,
    keeping,
    /** Gets what the form holds after each change. */
    keep(held: Omit<K, 'keptAt'>) {
      now.current.held = held;
      clearTimeout(now.current.timer);
      now.current.timer = setTimeout(write, REST_MS);
    },
    /** Goes on with what was kept. */
    restore() {
      setFound(null);
      become('yes');
    },
    /** Forgets what was kept; what is typed from now on is kept. */
    discard() {
      draftAt(key).clear();
      setFound(null);
      become('yes');
      write();
    },
    /** Keeps this tab's words from now on, whatever other tabs do. */
    takeOver() {
      become('yes');
      write();
    },
    /** The server has it: nothing is kept any more. */
    saved() {
      clearTimeout(now.current.timer);
      now.current.held = null;
      // What nobody has decided about, or another tab keeps, is not this one's to forget.
      if (now.current.keeping !== 'elsewhere' && now.current.keeping !== 'asking') draftAt(key).clear();
    },
  };
}
