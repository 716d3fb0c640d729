/** Rounded down: 100 only when reached. */
export function shownPercent(value: number): number {
  return Number.isFinite(value) ? Math.floor(Math.min(100, Math.max(0, value))) : 0;
}

export const progressTrackClass = 'block w-full overflow-hidden rounded-full bg-ink/10';

/** Green when complete. */
export function progressFillClass(percent: number): string {
  return `block h-full rounded-full transition-[width] duration-500 ${percent >= 100 ? 'bg-success' : 'bg-accent'}`;
}
