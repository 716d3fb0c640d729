import { type RefObject, useLayoutEffect, useRef } from 'react';

/** For code that runs after rendering. */
export function useLatest<T>(value: T): RefObject<T> {
  const latest = useRef(value);
  // Not while rendering: a render may be discarded.
  useLayoutEffect(() => {
    latest.current = value;
  });
  return latest;
}
