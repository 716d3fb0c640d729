import { durationText } from '#src/shared/dates.ts';
import { counted } from '#src/shared/counted.ts';

export interface Week {
  /** Seconds of study. */
  seconds: number;
  days: number;
  lessons: number;
}

/** Null where nothing was studied. */
export function weekSentence({ seconds, days, lessons }: Week): string | null {
  if (days === 0) return null;
  const studied = seconds >= 60 ? ` for ${durationText(seconds)}` : '';
  const completed = lessons > 0 ? ` and completed ${counted(lessons, 'lesson')}` : '';
  return `In the last seven days you studied on ${counted(days, 'day')}${studied}${completed}.`;
}
