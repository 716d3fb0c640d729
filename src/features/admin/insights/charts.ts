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

/** The days or months of a chart, by the calendar of UTC. */
export interface SalesSteps {
  unit: 'day' | 'month';
  /** Their first days as YYYY-MM-DD, the oldest first; the first one may begin later than its month. */
  starts: string[];
  /** The last day, included. */
  to: string;
}

/** Days that a chart shows as days; a longer time is shown by months. */
const DAYS_AS_DAYS = 62;
const DAY_MS = 86_400_000;

/** The steps of a time: its days, or its months where the days would be too many to be told apart. */
export function stepsBetween({ from, to }: { from: string; to: string }): SalesSteps {
  const [first, last] = [Date.parse(from), Date.parse(to)];
  const days = Math.round((last - first) / DAY_MS) + 1;
  if (days <= DAYS_AS_DAYS) {
    const starts = Array.from({ length: days }, (_, index) => dayOf(first + index * DAY_MS));
    return { unit: 'day', starts, to };
  }
  const starts = [from];
  const month = new Date(first);
  for (;;) {
    month.setUTCMonth(month.getUTCMonth() + 1, 1);
    if (month.getTime() > last) return { unit: 'month', starts, to };
    starts.push(dayOf(month.getTime()));
  }
}

/** The last 30 days or 12 months, today included. */
export function recentSteps(range: SalesRange, now: Date): SalesSteps {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  const to = dayOf(now.getTime());
  const from = range === '12-months' ? Date.UTC(year, month - 11, 1) : Date.parse(to) - 29 * DAY_MS;
  return stepsBetween({ from: dayOf(from), to });
}

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

const dayFormat = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });
const monthFormat = new Intl.DateTimeFormat('en-US', { month: 'short', year: 'numeric', timeZone: 'UTC' });

/** "Nov 20", or "Nov 2026". */
export function stepLabel(start: string, unit: SalesSteps['unit']): string {
  return (unit === 'month' ? monthFormat : dayFormat).format(new Date(`${start}T00:00:00Z`));
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
