import { z } from 'zod';
import { counted, quotedTitles } from '#src/shared/counted.ts';
import { shownDate } from '#src/shared/dates.ts';
import { day } from '#src/shared/fields.ts';

const AFTER_DAYS_MAX = 3_650;

export const AFTER_MAX = 10;

const notLesson = 'After these lessons must be ids of lessons';
const daysError = `Opens after must be 1 to ${AFTER_DAYS_MAX} days`;

/** Opens at the latest of what is said, at once where nothing is; a free preview is always open. */
export const openingInput = z.strictObject({
  afterDays: z.int({ error: daysError }).min(1, daysError).max(AFTER_DAYS_MAX, daysError).optional(),
  on: day('Opens on').optional(),
  afterEarlier: z.boolean({ error: 'After the lessons before it must be true or false' }).optional(),
  after: z
    .array(z.int({ error: notLesson }).min(1, notLesson).max(2_147_483_647, notLesson), {
      error: 'After these lessons must be a list of lessons',
    })
    .max(AFTER_MAX, `A lesson waits for at most ${AFTER_MAX} lessons by name`)
    .optional(),
});
export type Opening = z.output<typeof openingInput>;

const list = new Intl.ListFormat('en-US', { type: 'conjunction' });

/** When a lesson opens, in words for its authors. */
export function openingText(
  { afterDays, on, afterEarlier, after = [] }: Opening,
  titles: ReadonlyMap<number, string> = new Map(),
): string {
  const names = after.map((id) => (titles.has(id) ? quotedTitles([titles.get(id)!]) : `lesson ${id}`));
  return [
    afterDays && `${counted(afterDays, 'day')} after the purchase`,
    on && `on ${shownDate(`${on}T00:00:00Z`)}`,
    afterEarlier && 'after the required lessons before it',
    names.length > 0 && `after ${list.format(names)}`,
  ]
    .filter(Boolean)
    .join(', ');
}

export interface Closed {
  /** ISO 8601; null where no moment is waited for. */
  until: string | null;
  needsEarlier: boolean;
  needs: { id: number; title: string }[];
}

const NAMED = 2;
const neededTitles = ({ needs }: Closed, most?: number) =>
  quotedTitles(
    needs.map(({ title }) => title),
    most,
  );

/** When a closed lesson opens, in one sentence. */
export function opensSentence(closed: Closed): string {
  const { until, needsEarlier, needs } = closed;
  const then = until ? `on ${shownDate(until)}` : '';
  const done = [
    needsEarlier ? 'the required lessons before it' : '',
    needs.length > 0 ? neededTitles(closed) : '',
  ].filter(Boolean);
  return `This lesson opens ${[then, done.length > 0 ? `once you have completed ${list.format(done)}` : ''].filter(Boolean).join(', ')}.`;
}

/** The same in a few words, for lists. */
export function opensShortly(closed: Closed): string {
  const { until, needsEarlier, needs } = closed;
  if (until) return `opens ${shownDate(until)}`;
  if (needsEarlier) return 'after the lessons before it';
  return needs.length > 0 ? `once you have completed ${neededTitles(closed, NAMED)}` : '';
}

export interface OpeningLesson {
  id: number;
  title: string;
  opening: Opening;
  requiredToComplete: boolean;
  isPreview: boolean;
}

/** Each lesson once, in one order, and none that does not exist. */
export function keptOpening(
  { after = [], ...rest }: Opening,
  isThere: (id: number) => boolean = () => true,
): Opening {
  const kept = [...new Set(after)].filter(isThere).sort((a, b) => a - b);
  return kept.length > 0 ? { ...rest, after: kept } : rest;
}

/** Also over others. */
export function lessonsWaitingFor(lessons: readonly OpeningLesson[], id: number): Set<number> {
  // A free preview is open whatever its rule says.
  const closed = lessons.map((lesson, place) => ({ ...lesson, place })).filter(({ isPreview }) => !isPreview);
  const namedBy = new Map<number, number[]>();
  for (const { id: own, opening } of closed) {
    for (const one of opening.after ?? []) namedBy.set(one, [...(namedBy.get(one) ?? []), own]);
  }
  const places = new Map(
    lessons.map(({ id: own, requiredToComplete }, place) => [
      own,
      requiredToComplete ? place : lessons.length,
    ]),
  );
  // Those that wait for what is before them, the last one first: each is met once.
  const afterEarlier = closed.filter(({ opening }) => opening.afterEarlier);
  const waiting = new Set<number>();
  // A set gives what is added to it while it is gone through, too.
  const counting = new Set([id]);
  for (const one of counting) {
    const next = namedBy.get(one) ?? [];
    while ((afterEarlier.at(-1)?.place ?? -1) > (places.get(one) ?? lessons.length)) {
      next.push(afterEarlier.pop()!.id);
    }
    for (const own of next) {
      waiting.add(own);
      counting.add(own);
    }
  }
  return waiting;
}

export function openingProblem(
  lessons: readonly OpeningLesson[],
  lesson: OpeningLesson,
): { field: 'opening.after' | 'opening.afterEarlier'; message: string } | null {
  const { id, opening, title } = lesson;
  const { after = [], afterEarlier } = opening;
  const field = 'opening.after';
  if (after.includes(id)) return { field, message: 'A lesson cannot wait for itself' };
  if (!after.every((one) => lessons.some((other) => other.id === one))) {
    return { field, message: 'This course has no such lesson' };
  }
  const waiting = lessonsWaitingFor(lessons, id);
  if (!waiting.has(id)) return null;
  const message = (other: OpeningLesson) => `“${other.title}” waits for “${title}” already`;
  const named = lessons.find((other) => after.includes(other.id) && waiting.has(other.id));
  if (named) return { field, message: message(named) };
  const earlier = lessons
    .slice(0, lessons.indexOf(lesson))
    .find((other) => other.requiredToComplete && waiting.has(other.id));
  return afterEarlier && earlier ? { field: 'opening.afterEarlier', message: message(earlier) } : null;
}

/** What is to be thought over about the lessons that a lesson waits for by name. */
export function openingHints(lessons: readonly OpeningLesson[], lesson: OpeningLesson): string[] {
  const { opening, isPreview } = lesson;
  if (isPreview || !opening.after) return [];
  const waiting = lessonsWaitingFor(lessons, lesson.id);
  return lessons
    .filter(({ id }) => opening.after!.includes(id))
    .flatMap(({ id, title, requiredToComplete }) => {
      if (waiting.has(id)) {
        return [`It waits for “${title}”, which waits for this lesson: neither of them ever opens.`];
      }
      return requiredToComplete
        ? []
        : [`It waits for “${title}”, which is not required: learners who leave that out cannot open it.`];
    });
}
