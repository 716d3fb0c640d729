import { useEffect, useState } from 'react';

function createClock() {
  let beforeMs = 0;
  let sinceMs: number | null = null;
  const readMs = () => beforeMs + (sinceMs === null ? 0 : performance.now() - sinceMs);
  return {
    /** Whole seconds so far. */
    seconds: () => Math.floor(readMs() / 1000),
    follow: () => {
      beforeMs = readMs();
      sinceMs = document.hidden ? null : performance.now();
    },
  };
}

/** Seconds in view since the lesson was opened. */
export function useSessionClock(): { seconds: () => number; shown: number } {
  const [clock] = useState(createClock);
  const [shown, setShown] = useState(0);
  useEffect(() => {
    clock.follow();
    const timer = setInterval(() => setShown(clock.seconds()), 1000);
    document.addEventListener('visibilitychange', clock.follow);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', clock.follow);
    };
  }, [clock]);
  return { seconds: clock.seconds, shown };
}
