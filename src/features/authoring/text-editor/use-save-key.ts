import { type RefObject, useEffect, useRef } from 'react';

/**
 * Has Ctrl+S (⌘S on a Mac) submit a form whose author goes on writing.
 *
 * @returns to be called when the form is submitted: whether that was the key
 */
export function useSaveKey(form: RefObject<HTMLFormElement | null>, isOn = true): () => boolean {
  const wasKey = useRef(false);
  useEffect(() => {
    if (!isOn) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      if (event.key.toLowerCase() !== 's') return;
      // Never the browser's own, which saves the page as a file.
      event.preventDefault();
      // A question that is being asked is answered first.
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
