import { useRef } from 'react';

/**
 * Brings the focus back where it was before a dialog opened. Radix remembers only its own trigger, and a dialog that is
 * opened by state has none.
 *
 * @returns handlers for the content of a dialog
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
