import { type RefObject, useEffect, useRef } from 'react';

/**
 * Lets Ctrl+S (⌘S on a Mac) submit a form.
 * @returns tells a submit by that key from another
 */
export function useSaveKey(form: RefObject<HTMLFormElement | null>, isOn = true): () => boolean {
  const wasKey = useRef(false);
  useEffect(() => {
    if (!isOn) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      if (event.key.toLowerCase() !== 's') return;
      // The browser would save the page as a file.
      event.preventDefault();
      // An open dialog comes first.
      if (event.repeat || document.querySelector('[role="dialog"]')) return;
      wasKey.current = true;
      form.current?.requestSubmit();
      wasKey.current = false;
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [form, isOn]);
  return () => wasKey.current;
}
