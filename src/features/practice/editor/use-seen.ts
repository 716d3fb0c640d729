import { type RefObject, useEffect, useState } from 'react';

/** Whether an element has been drawn, wherever on the page; one in a closed panel is not. */
export function useSeen(ref: RefObject<Element | null>): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => entries.some((one) => one.isIntersecting) && setSeen(true),
      {
        rootMargin: '1000000px',
      },
    );
    observer.observe(ref.current!);
    return () => observer.disconnect();
  }, [ref]);
  return isSeen;
}
