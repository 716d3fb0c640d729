const DAY_MS = 86_400_000;
/** Default and longest range. */
const DAYS_SHOWN = 30;
const DAYS_MAX = 3_660;

/** Inclusive, YYYY-MM-DD in UTC. */
export interface DayRange {
  from: string;
  to: string;
}

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

/** Null for no day of the calendar. */
function parseDay(value: string | null): number | null {
  if (!value || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return null;
  const time = Date.parse(`${value}T00:00:00Z`);
  return Number.isNaN(time) || dayOf(time) !== value ? null : time;
}

/** The last 30 days where `from` and `to` are missing or invalid. */
export function parseDayRange(params: URLSearchParams, now = new Date()): DayRange {
  const today = parseDay(dayOf(now.getTime()))!;
  const to = Math.min(parseDay(params.get('to')) ?? today, today);
  const from = parseDay(params.get('from')) ?? to - (DAYS_SHOWN - 1) * DAY_MS;
  const isRange = from <= to && to - from < DAYS_MAX * DAY_MS;
  return { from: dayOf(isRange ? from : to - (DAYS_SHOWN - 1) * DAY_MS), to: dayOf(to) };
}

export type FunnelStep = 'views' | 'carts' | 'paid' | 'enrolled' | 'started' | 'finished';

interface Step {
  key: FunnelStep;
  label: string;
  note: string;
  /** None where it is no part of the step before: courses are also given. */
  of?: { key: FunnelStep; label: string };
}

export const FUNNEL_STEPS: readonly Step[] = [
  { key: 'views', label: 'Viewed', note: 'Times that the course’s page was opened' },
  {
    key: 'carts',
    label: 'In a cart',
    note: 'Put into a cart, or a guest’s checkout begun',
    of: { key: 'views', label: 'views' },
  },
  {
    key: 'paid',
    label: 'Bought',
    note: 'Purchases completed',
    of: { key: 'carts', label: 'those in a cart' },
  },
  {
    key: 'enrolled',
    label: 'Enrolled',
    note: 'Got access, by a purchase or by hand, and have it or had it',
  },
  {
    key: 'started',
    label: 'Started',
    note: 'Of those who got access in this time: opened a lesson',
    of: { key: 'enrolled', label: 'those enrolled' },
  },
  {
    key: 'finished',
    label: 'Finished',
    note: 'Of those who got access in this time: completed it since',
    of: { key: 'started', label: 'those who started' },
  },
];

export interface CourseFigures extends Record<FunnelStep, number> {
  courseId: number;
  title: string;
  /** Less later refunds. */
  revenueCents: number;
}

export type Totals = Omit<CourseFigures, 'courseId' | 'title'>;

export function totalsOf(courses: readonly CourseFigures[]): Totals {
  const sum = (pick: (course: CourseFigures) => number) =>
    courses.reduce((total, course) => total + pick(course), 0);
  return {
    views: sum(({ views }) => views),
    carts: sum(({ carts }) => carts),
    paid: sum(({ paid }) => paid),
    enrolled: sum(({ enrolled }) => enrolled),
    started: sum(({ started }) => started),
    finished: sum(({ finished }) => finished),
    revenueCents: sum(({ revenueCents }) => revenueCents),
  };
}

/** "1,234". */
export const number = (value: number) => value.toLocaleString('en-US');

/** "12%", "under 1%"; '' for no whole. */
export function share(part: number, whole: number): string {
  if (whole <= 0) return '';
  const percent = (100 * part) / whole;
  if (percent > 0 && percent < 1) return 'under 1%';
  return `${Math.floor(percent)}%`;
}

/** "45 s", "12 min", "1 h 5 min". */
export function spokenTime(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Of those who got access in the range. */
export interface LessonFigures {
  lessonId: number;
  title: string;
  section: string;
  /** From 1. */
  place: number;
  opened: number;
  completed: number;
  /** Last seen here, unfinished, away for two weeks. */
  stopped: number;
  /** Mean; null for none. */
  averageSeconds: number | null;
}

export interface TestFigures {
  lessonId: number;
  lesson: string;
  /** From 1. */
  test: number;
  description: string;
  isHidden: boolean;
  runs: number;
  failed: number;
}

/** None where all are 0, several where equal. */
export function leading<Row>(rows: readonly Row[], figure: (row: Row) => number): ReadonlySet<Row> {
  const most = Math.max(0, ...rows.map(figure));
  return new Set(most > 0 ? rows.filter((row) => figure(row) === most) : []);
}

/** Definitions of the figures outside the funnel. */
export const DEFINITIONS: readonly { label: string; meaning: string }[] = [
  {
    label: 'Revenue by course',
    meaning:
      'What was paid for purchases completed in the time, less what has been paid back of these purchases since. Disputed purchases count nothing until they are won.',
  },
  {
    label: 'Revenue over time',
    meaning:
      'What was paid on each day or in each month, less what was paid back in it, whichever purchase it belonged to. A refund can therefore make a day negative, and the sum can differ from the revenue by course.',
  },
  {
    label: 'Enrollments',
    meaning: 'People who got access on that day, by a purchase, a seat or by hand.',
  },
  {
    label: 'Opened, Completed',
    meaning: 'Of those enrolled in the time: who opened the lesson, and who completed it, at any time since.',
  },
  {
    label: 'Stopped here',
    meaning:
      'Of those enrolled in the time: who had this lesson open last, has not finished the course, and has not been back for two weeks.',
  },
  {
    label: 'Average time',
    meaning: 'Time on the lesson of those who spent any on it. A page that nobody touches stops counting.',
  },
  {
    label: 'Answered, Right',
    meaning:
      'Answers in all attempts handed in in the time, so somebody who tried twice counts twice. Right means without a fault.',
  },
  {
    label: 'Most chosen, Most given',
    meaning:
      'The option that was chosen, or the answer that was typed, most often for this question. Where several options may be chosen, each counts by itself. The percentage is of the times that the question was answered.',
  },
  {
    label: 'Fails most',
    meaning:
      'The test with the most failed runs in the time. Failure rate is the failed part of its runs. Runs with a syntax error reach no test and are left out.',
  },
];

export interface QuestionFigures {
  lessonId: number;
  lesson: string;
  /** From 1. */
  place: number;
  question: string;
  /** And without a fault. */
  answered: number;
  right: number;
  /** Answered by options. */
  isChosen: boolean;
  /** Most frequent first; each option of a multiple choice alone. */
  commonest: { answer: string; times: number; isRight: boolean }[];
}
