import type { ReadableAtom } from 'nanostores';
import { useSyncExternalStore } from 'react';

/**
 * The value of a store, drawn again when it changes.
 * @param early what the server's page shows, where a store may change before the component wakes
 */
export function useStore<T>(store: ReadableAtom<T>, early?: T): T {
  return useSyncExternalStore(store.listen, store.get, early === undefined ? store.get : () => early);
}
