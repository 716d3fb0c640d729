import { useEffect } from 'react';

/** The keys that lead to the lessons beside the open one: as assistive software is told them, and as people read them. */
export const LESSON_KEYS = {
  previous: { aria: 'Alt+PageUp', shown: 'Alt + Page Up' },
  next: { aria: 'Alt+PageDown', shown: 'Alt + Page Down' },
} as const;

/** Lets these keys follow the page's links to the lessons before (`rel="prev"`) and after it (`rel="next"`). */
export function useLessonKeys(): void {
  useEffect(() => {
    const follow = (event: KeyboardEvent) => {
      // An editor that has a use of its own for the keys has prevented their default.
      if (event.defaultPrevented || !event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      const rel = { PageUp: 'prev', PageDown: 'next' }[event.key];
      if (!rel) return;
      event.preventDefault();
      document.querySelector<HTMLAnchorElement>(`main a[rel="${rel}"]`)?.click();
    };
    document.addEventListener('keydown', follow);
    return () => document.removeEventListener('keydown', follow);
  }, []);
}
