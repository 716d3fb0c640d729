import { durationText } from '#src/shared/dates.ts';
import { counted } from '#src/shared/counted.ts';

/** What a learner did in the last seven days. */
export interface Week {
  /** Seconds of study. */
  seconds: number;
  days: number;
  lessons: number;
}

/** One sentence on the last seven days, or null where nothing was studied. */
export function weekSentence({ seconds, days, lessons }: Week): string | null {
  if (days === 0) return null;
  const studied = seconds >= 60 ? ` for ${durationText(seconds)}` : '';
  const completed = lessons > 0 ? ` and completed ${counted(lessons, 'lesson')}` : '';
  return `In the last seven days you studied on ${counted(days, 'day')}${studied}${completed}.`;
}
