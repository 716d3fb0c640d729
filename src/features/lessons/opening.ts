import { z } from 'zod';
import { counted } from '#src/shared/counted.ts';
import { shownDate } from '#src/shared/dates.ts';

/** Days that a lesson may stay closed after the purchase at most. */
export const AFTER_DAYS_MAX = 3_650;

const day = z
  .string({ error: 'Opens on must be a date' })
  .regex(/^\d{4}-\d{2}-\d{2}$/, 'Opens on must be a date such as 2027-01-31')
  .refine((value) => {
    const time = Date.parse(`${value}T00:00:00Z`);
    return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
  }, 'Opens on must be a day of the calendar');

const daysError = `Opens after must be 1 to ${AFTER_DAYS_MAX} days`;

/**
 * When a lesson opens for those who are enrolled: at once where nothing is said, and by the latest of what is. A free
 * preview is open to everybody all the same, and what a learner has completed stays open to them.
 */
export const openingInput = z.strictObject({
  /** Whole days after the learner got access. */
  afterDays: z.int({ error: daysError }).min(1, daysError).max(AFTER_DAYS_MAX, daysError).optional(),
  /** A day of UTC. */
  on: day.optional(),
  /** Only once the required lessons before it are completed. */
  afterEarlier: z.boolean({ error: 'After the lessons before it must be true or false' }).optional(),
});
export type Opening = z.output<typeof openingInput>;

/** When a lesson opens, in words for its authors; '' for at once. */
export function openingText({ afterDays, on, afterEarlier }: Opening): string {
  return [
    afterDays && `${counted(afterDays, 'day')} after the purchase`,
    on && `on ${shownDate(`${on}T00:00:00Z`)}`,
    afterEarlier && 'after the required lessons before it',
  ]
    .filter(Boolean)
    .join(', ');
}

/** What keeps a lesson closed to a learner now. */
export interface Closed {
  /** ISO 8601; null where no moment is waited for. */
  until: string | null;
  /** A required lesson before it is not completed. */
  needsEarlier: boolean;
}

/** When a closed lesson opens, in one sentence. */
export function opensSentence({ until, needsEarlier }: Closed): string {
  const then = until ? `on ${shownDate(until)}` : '';
  const done = needsEarlier ? 'once you have completed the required lessons before it' : '';
  return `This lesson opens ${[then, done].filter(Boolean).join(', ')}.`;
}

/** The same in a few words, for lists. */
export function opensShortly({ until, needsEarlier }: Closed): string {
  return until ? `opens ${shownDate(until)}` : needsEarlier ? 'after the lessons before it' : '';
}
