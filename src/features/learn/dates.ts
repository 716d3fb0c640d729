const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

/** '2026-11-20T…Z' → 'Nov 20, 2026', by the calendar of UTC. */
export function shownDate(iso: string): string {
  return day.format(new Date(iso));
}
