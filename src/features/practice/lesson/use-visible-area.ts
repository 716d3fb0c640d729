import { type CSSProperties, useEffect, useState } from 'react';

/**
 * Most browsers lay the keyboard over the page: what stays in view, as `--visible-top` and
 * `--visible-height`.
 */
export function useVisibleArea(isNeeded: boolean): CSSProperties | undefined {
  const [area, setArea] = useState({ top: 0, height: 0 });
  useEffect(() => {
    const seen = window.visualViewport;
    if (!isNeeded || !seen) return;
    const measure = () => setArea({ top: seen.offsetTop, height: seen.height });
    measure();
    const ends = new AbortController();
    for (const event of ['resize', 'scroll']) seen.addEventListener(event, measure, { signal: ends.signal });
    return () => ends.abort();
  }, [isNeeded]);
  if (!isNeeded) return undefined;
  return {
    '--visible-top': `${area.top}px`,
    '--visible-height': area.height ? `${area.height}px` : '100dvh',
  } as CSSProperties;
}
