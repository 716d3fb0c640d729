import { useEffect, useRef } from 'react';

/**
 * Focuses what a change draws.
 * @param drawn the changing list
 * @returns takes an id of a field or button, or of an element around the field
 */
export function useFocusAfterDraw(drawn: unknown): (id: string) => void {
  const wanted = useRef<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the list was drawn anew
  useEffect(() => {
    if (wanted.current === null) return;
    const place = document.getElementById(wanted.current);
    const field = 'input, textarea';
    (place?.matches(`button, ${field}`) ? place : place?.querySelector<HTMLElement>(field))?.focus();
    wanted.current = null;
  }, [drawn]);
  return (id) => {
    wanted.current = id;
  };
}
