/** How long a figure counts (spec 9). */
export const COUNT_UP_MS = 2000;

/**
 * The figure shown while counting up to `target`, fast at first and slower towards the end (ease-out).
 *
 * @param elapsedMs since the counting began
 */
export function countAt(target: number, elapsedMs: number): number {
  const share = Math.min(1, Math.max(0, elapsedMs / COUNT_UP_MS));
  return Math.round(target * (1 - (1 - share) ** 3));
}
