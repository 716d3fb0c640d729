/** A day on which somebody studied; `day` is `YYYY-MM-DD` in UTC. */
export interface StudyDay {
  day: string;
  seconds: number;
  lessonsCompleted: number;
}

/** A learner's study days of the calendar's weeks, and their streak. */
export interface StudyRecord {
  /** The UTC day that counts as today. */
  today: string;
  days: StudyDay[];
  streak: { current: number; longest: number };
  /** Seconds in the calendar's weeks. */
  seconds: number;
}

/** Weeks that the calendar shows, the current one included. */
export const CALENDAR_WEEKS = 13;
const DAY_MS = 86_400_000;

/** The UTC day of a moment, as `YYYY-MM-DD`. */
export function utcDay(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

const daysAfter = (day: string, days: number) =>
  utcDay(new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS));

// getUTCDay() starts on Sunday.
const sinceMonday = (day: string) => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;

/**
 * Days in a row up to today. Yesterday keeps a streak alive: today is not over.
 *
 * @param days in any order
 */
export function streaks(days: readonly string[], today: string): { current: number; longest: number } {
  const studied = new Set(days);
  const lengthEndingAt = (end: string) => {
    let length = 0;
    while (studied.has(daysAfter(end, -length))) length += 1;
    return length;
  };
  let longest = 0;
  for (const day of studied) {
    if (!studied.has(daysAfter(day, 1))) longest = Math.max(longest, lengthEndingAt(day));
  }
  return { current: lengthEndingAt(today) || lengthEndingAt(daysAfter(today, -1)), longest };
}

/** Days of which the streak is made, at most. */
export const STREAK_DAYS = 1000;

const daysBefore = (now: Date, count: number) => utcDay(new Date(now.getTime() - count * DAY_MS));

/** The first UTC day that can count for a streak. */
export function firstStreakDay(now: Date): string {
  return daysBefore(now, STREAK_DAYS);
}

/**
 * A learner's record as of `now`.
 *
 * @param kept their days since `firstStreakDay`, the newest first
 */
export function studyRecordOf(kept: readonly StudyDay[], now: Date): StudyRecord {
  const today = utcDay(now);
  const studied = kept.filter(({ seconds, lessonsCompleted }) => seconds > 0 || lessonsCompleted > 0);
  const first = daysBefore(now, 7 * CALENDAR_WEEKS);
  const days = studied.filter(({ day }) => day > first);
  return {
    today,
    days,
    streak: streaks(
      studied.map(({ day }) => day),
      today,
    ),
    seconds: days.reduce((sum, { seconds }) => sum + seconds, 0),
  };
}

/** Days of study that a week may be aimed at. */
export const WEEKLY_GOALS = [1, 2, 3, 4, 5, 6, 7] as const;

/** The days of the current week, from Monday on, and on how many of them something was studied. */
export function thisWeek({ days, today }: Pick<StudyRecord, 'days' | 'today'>): {
  week: { day: string; isStudied: boolean; isToday: boolean }[];
  count: number;
} {
  const studied = new Set(days.map(({ day }) => day));
  const monday = daysAfter(today, -sinceMonday(today));
  const week = Array.from({ length: 7 }, (_, index) => {
    const day = daysAfter(monday, index);
    return { day, isStudied: studied.has(day), isToday: day === today };
  });
  return { week, count: week.filter(({ isStudied }) => isStudied).length };
}

/** One cell of the calendar; null for days that are not there yet. */
type CalendarCell = (StudyDay & { level: 0 | 1 | 2 | 3 }) | null;

/** How much a day's study is: none, some, half an hour, an hour and a half. */
function levelOf(day: StudyDay): 0 | 1 | 2 | 3 {
  if (day.seconds >= 5400) return 3;
  if (day.seconds >= 1800) return 2;
  return day.seconds > 0 || day.lessonsCompleted > 0 ? 1 : 0;
}

/**
 * The calendar as a table: seven rows from Monday to Sunday, a column for each of the last weeks.
 *
 * @param today the UTC day, `YYYY-MM-DD`
 */
export function studyCalendar(
  days: readonly StudyDay[],
  today: string,
): { weeks: string[]; rows: { weekday: string; cells: CalendarCell[] }[] } {
  const known = new Map(days.map((day) => [day.day, day]));
  const firstMonday = daysAfter(today, -sinceMonday(today) - 7 * (CALENDAR_WEEKS - 1));
  const weeks = Array.from({ length: CALENDAR_WEEKS }, (_, week) => daysAfter(firstMonday, 7 * week));
  const names = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
  const rows = names.map((weekday, row) => ({
    weekday,
    cells: weeks.map((monday): CalendarCell => {
      const day = daysAfter(monday, row);
      if (day > today) return null;
      const studied = known.get(day) ?? { day, seconds: 0, lessonsCompleted: 0 };
      return { ...studied, level: levelOf(studied) };
    }),
  }));
  return { weeks, rows };
}
