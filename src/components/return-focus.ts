import { useRef } from 'react';

/**
 * Returns the focus after a dialog that state opened: Radix only knows its own trigger.
 * @returns handlers for the content
 */
export function useReturnFocus() {
  const before = useRef<Element | null>(null);
  return {
    onOpenAutoFocus: () => {
      const menu = document.activeElement?.closest('[role=menu]');
      // A menu's entry goes with its menu; the button that opened it stays.
      before.current = menu
        ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '')
        : document.activeElement;
    },
    onCloseAutoFocus: (event: Event) => {
      const place = before.current;
      if (!(place instanceof HTMLElement) || !place.isConnected || place === document.body) return;
      event.preventDefault();
      place.focus();
    },
  };
}
