/** `day` is `YYYY-MM-DD` in UTC. */
export interface StudyDay {
  day: string;
  seconds: number;
  lessonsCompleted: number;
}

export interface StudyRecord {
  /** UTC. */
  today: string;
  days: StudyDay[];
  streak: { current: number; longest: number };
  seconds: number;
}

/** Weeks of the calendar with the current one. */
export const CALENDAR_WEEKS = 13;
const DAY_MS = 86_400_000;

export function utcDay(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

const daysAfter = (day: string, days: number) =>
  utcDay(new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS));

// getUTCDay() starts on Sunday.
const sinceMonday = (day: string) => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;

/**
 * Yesterday continues a streak: today is not over.
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

export const STREAK_DAYS = 1000;

const daysBefore = (now: Date, count: number) => utcDay(new Date(now.getTime() - count * DAY_MS));

export function firstStreakDay(now: Date): string {
  return daysBefore(now, STREAK_DAYS);
}

/** @param recorded study days since `firstStreakDay`, newest first */
export function studyRecordOf(recorded: readonly StudyDay[], now: Date): StudyRecord {
  const today = utcDay(now);
  const studied = recorded.filter(({ seconds, lessonsCompleted }) => seconds > 0 || lessonsCompleted > 0);
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

export const WEEKLY_GOALS = [1, 2, 3, 4, 5, 6, 7] as const;

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

/** Null for future days. */
type CalendarCell = (StudyDay & { level: 0 | 1 | 2 | 3 }) | null;

/** None, some, half an hour, an hour and a half. */
function levelOf(day: StudyDay): 0 | 1 | 2 | 3 {
  if (day.seconds >= 5400) return 3;
  if (day.seconds >= 1800) return 2;
  return day.seconds > 0 || day.lessonsCompleted > 0 ? 1 : 0;
}

/**
 * Seven rows from Monday, a column for each week.
 * @param today UTC, `YYYY-MM-DD`
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
