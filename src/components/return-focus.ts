import { useRef } from 'react';

/**
 * Returns the focus after a dialog that state opened: Radix only knows its own trigger.
 * @returns handlers for the content
 */
export function useReturnFocus() {
  const before = useRef<Element | null>(null);
  return {
    onOpenAutoFocus: () => {
      before.current = document.activeElement;
    },
    onCloseAutoFocus: (event: Event) => {
      const place = before.current;
      if (!(place instanceof HTMLElement) || !place.isConnected || place === document.body) return;
      event.preventDefault();
      place.focus();
    },
  };
}
