const moment = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** '2026-11-20T13:05:00Z' → 'Nov 20, 2026, 1:05 PM UTC'. */
export function shownMoment(iso: string): string {
  return `${moment.format(new Date(iso))} UTC`;
}
