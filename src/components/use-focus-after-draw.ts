import { useEffect, useRef } from 'react';

/**
 * Focuses a field or button that is drawn only after the change that asked for it.
 *
 * @param drawn the list whose change draws it
 * @returns asks for the field or button with this id, or for the first field inside the element with it
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
