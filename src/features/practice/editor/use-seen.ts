import { type RefObject, useEffect, useState } from 'react';

/** Whether an element has come into view. */
export function useSeen(ref: RefObject<Element | null>): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => entry!.isIntersecting && setSeen(true));
    observer.observe(ref.current!);
    return () => observer.disconnect();
  }, [ref]);
  return isSeen;
}
