export const SALES_RANGES = [
  { value: '30-days', label: '30 days' },
  { value: '12-months', label: '12 months' },
] as const;
export type SalesRange = (typeof SALES_RANGES)[number]['value'];

/** Default 30 days. */
export function parseSalesRange(value: string | null): SalesRange {
  return SALES_RANGES.find((range) => range.value === value)?.value ?? '30-days';
}

export interface SalesStep {
  /** YYYY-MM-DD. */
  start: string;
  revenueCents: number;
  enrollments: number;
}

/** By UTC. */
export interface SalesSteps {
  unit: 'day' | 'month';
  /** YYYY-MM-DD, oldest first; the first may be later than its month's. */
  starts: string[];
  /** Inclusive. */
  to: string;
}

/** A longer time is shown by months. */
const DAYS_AS_DAYS = 62;
const DAY_MS = 86_400_000;

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

/** With today. */
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

/** The next number with one leading digit: a readable scale. */
export function niceCeiling(value: number): number {
  if (value <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 3, 4, 5, 6, 8, 10].map((step) => step * power).find((step) => step >= value)!;
}

/** Percent of the height: top and height. */
export interface Bar {
  top: number;
  height: number;
}

/**
 * Negative bars hang from the zero line.
 * @param least lower bound of the scale's end
 * @returns bars, ends, and the zero in percent from the top
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
