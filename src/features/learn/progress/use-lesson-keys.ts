import { useEffect } from 'react';

/** For `aria-keyshortcuts`, and as people read them. */
export const LESSON_KEYS = {
  previous: { aria: 'Alt+PageUp', shown: 'Alt + Page Up' },
  next: { aria: 'Alt+PageDown', shown: 'Alt + Page Down' },
} as const;

/** For the page's links with `rel="prev"` and `rel="next"`. */
export function useLessonKeys(): void {
  useEffect(() => {
    const follow = (event: KeyboardEvent) => {
      // An editor prevents the default of keys it uses.
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
