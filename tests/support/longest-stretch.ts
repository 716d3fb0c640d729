/** Milliseconds; 0.15 s was the most measured on a busy machine of two cores. */
export const STRETCH_MAX_MS = 200;

/** The processor's time of the longest stretch of the event loop in which no other request had its turn. */
export async function longestStretch(work: () => Promise<void>): Promise<number> {
  const spent = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  let [before, longest] = [spent(), 0];
  const tick = () => {
    const now = spent();
    longest = Math.max(longest, now - before);
    before = now;
  };
  const timer = setInterval(tick, 1);
  try {
    await work();
  } finally {
    clearInterval(timer);
    tick();
  }
  return longest;
}
