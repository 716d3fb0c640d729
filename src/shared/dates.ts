const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

/** 'Nov 20, 2026', in UTC. */
export function shownDate(iso: string): string {
  return day.format(new Date(iso));
}

const longDate = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** 'November 20, 2026', in UTC. */
export function longDay(at: Date | string): string {
  return longDate.format(new Date(at));
}

const moment = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** 'Nov 20, 2026, 1:05 PM UTC'. */
export function shownMoment(at: Date | string): string {
  return `${moment.format(new Date(at))} UTC`;
}

/** '2026-11-20' → 'Nov'. */
export function shortMonth(isoDay: string): string {
  return shownDate(isoDay).slice(0, 3);
}

/** '2026-11-20' → 'Nov 20'. */
export function shortDay(isoDay: string): string {
  return shownDate(isoDay).split(',')[0]!;
}

/** "under a minute", "25 min", "3 h 5 min". */
export function durationText(seconds: number): string {
  if (seconds < 60) return seconds > 0 ? 'under a minute' : '0 min';
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  return minutes % 60 === 0
    ? `${Math.floor(minutes / 60)} h`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
