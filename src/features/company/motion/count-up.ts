/** Spec 9. */
export const COUNT_UP_MS = 2000;

/**
 * Ease-out.
 * @param elapsedMs since the start
 */
export function countAt(target: number, elapsedMs: number): number {
  const share = Math.min(1, Math.max(0, elapsedMs / COUNT_UP_MS));
  return Math.round(target * (1 - (1 - share) ** 3));
}
