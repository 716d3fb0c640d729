/** The times that the charts show: days or months. */
export const SALES_RANGES = [
  { value: '30-days', label: '30 days' },
  { value: '12-months', label: '12 months' },
] as const;
export type SalesRange = (typeof SALES_RANGES)[number]['value'];

/** The time that an address asks for; 30 days for none or an unknown one. */
export function parseSalesRange(value: string | null): SalesRange {
  return SALES_RANGES.find((range) => range.value === value)?.value ?? '30-days';
}

/** A day or month of the charts. */
export interface SalesStep {
  /** Its first day, as YYYY-MM-DD. */
  start: string;
  revenueCents: number;
  enrollments: number;
}

/** The first days of the last 30 days or 12 months, by the calendar of UTC, the oldest first. */
export function stepStarts(range: SalesRange, now: Date): string[] {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  const starts =
    range === '12-months'
      ? Array.from({ length: 12 }, (_, index) => Date.UTC(year, month - 11 + index, 1))
      : Array.from({ length: 30 }, (_, index) => Date.UTC(year, month, day - 29 + index));
  return starts.map((start) => new Date(start).toISOString().slice(0, 10));
}

const dayFormat = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });
const monthFormat = new Intl.DateTimeFormat('en-US', { month: 'short', year: 'numeric', timeZone: 'UTC' });

/** "Nov 20", or "Nov 2026". */
export function stepLabel(start: string, range: SalesRange): string {
  return (range === '12-months' ? monthFormat : dayFormat).format(new Date(`${start}T00:00:00Z`));
}

/** The next number of one leading digit that is not below a value: the end of a scale that reads well. */
export function niceCeiling(value: number): number {
  if (value <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 3, 4, 5, 6, 8, 10].map((step) => step * power).find((step) => step >= value)!;
}

/** A bar in a chart, in percent of its height: where it begins from the top, and how tall it is. */
export interface Bar {
  top: number;
  height: number;
}

/**
 * Bars over a common scale. Values below zero hang from the line of zero.
 *
 * @param least what the scale shows at least, so that nothing at all does not fill the chart
 * @returns the bars, the ends of the scale, and where its zero is, in percent from the top
 */
export function layOutBars(
  values: readonly number[],
  least = 1,
): { bars: Bar[]; high: number; low: number; zero: number } {
  const high = niceCeiling(Math.max(least, ...values));
  const lowest = Math.min(0, ...values);
  const low = lowest < 0 ? -niceCeiling(-lowest) : 0;
  const share = (value: number) => (100 * value) / (high - low);
  const zero = share(high);
  return {
    high,
    low,
    zero,
    bars: values.map((value) => ({ top: zero - share(Math.max(0, value)), height: share(Math.abs(value)) })),
  };
}
