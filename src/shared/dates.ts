const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

/** '2026-11-20T…Z' → 'Nov 20, 2026', by the calendar of UTC. */
export function shownDate(iso: string): string {
  return day.format(new Date(iso));
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** '2026-11-20' → 'Nov'. */
export function shortMonth(isoDay: string): string {
  return MONTHS[Number(isoDay.slice(5, 7)) - 1]!;
}

/** '2026-11-20' → 'Nov 20'. */
export function shortDay(isoDay: string): string {
  return `${shortMonth(isoDay)} ${Number(isoDay.slice(8, 10))}`;
}
