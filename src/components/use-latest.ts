import { type RefObject, useLayoutEffect, useRef } from 'react';

/** What a component was drawn with last, for code that runs later than its drawing. */
export function useLatest<T>(value: T): RefObject<T> {
  const latest = useRef(value);
  // Not while drawing: a drawing may be thrown away.
  useLayoutEffect(() => {
    latest.current = value;
  });
  return latest;
}
