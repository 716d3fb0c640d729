import { type Card, createEmptyCard, fsrs, type Grade, Rating, State } from 'ts-fsrs';

const GRADES = {
  forgot: Rating.Again,
  hard: Rating.Hard,
  good: Rating.Good,
  easy: Rating.Easy,
} satisfies Record<string, Grade>;

/** How well something was remembered, from worst to best. */
export type ReviewRating = keyof typeof GRADES;

const WANTED_RETENTION = 0.9;
/** Days after which everything is asked again, however well it is known. */
const LONGEST_DAYS = 365;

// By days alone, since a queue is for a day; without chance, so that the same answers give the same days.
const scheduler = fsrs({
  request_retention: WANTED_RETENTION,
  maximum_interval: LONGEST_DAYS,
  enable_fuzz: false,
  enable_short_term: false,
});

/** What is kept of how well somebody remembers a lesson. */
export interface Memory {
  due: Date;
  stability: number;
  difficulty: number;
  reps: number;
  lapses: number;
  lastReview: Date;
}

const memoryOf = ({ due, stability, difficulty, reps, lapses }: Card, lastReview: Date): Memory => ({
  due,
  stability,
  difficulty,
  reps,
  lapses,
  lastReview,
});

const cardOf = ({ lastReview, ...memory }: Memory): Card => ({
  ...memory,
  elapsed_days: 0,
  scheduled_days: 0,
  learning_steps: 0,
  state: State.Review,
  last_review: lastReview,
});

/** A clock that was set back must not make a review older than the one before it. */
const notBefore = (now: Date, last: Date) => (now < last ? last : now);

/** What somebody remembers of a lesson that they have just completed. */
export function firstMemory(now: Date): Memory {
  return memoryOf(scheduler.next(createEmptyCard(now), now, Rating.Good).card, now);
}

/** How likely they still know it, from 0 to 1. */
export function retrievability(memory: Memory, now: Date): number {
  return scheduler.get_retrievability(cardOf(memory), notBefore(now, memory.lastReview), false);
}

/** What they remember after a review. */
export function afterReview(memory: Memory, rating: ReviewRating, now: Date): Memory {
  const at = notBefore(now, memory.lastReview);
  return memoryOf(scheduler.next(cardOf(memory), at, GRADES[rating]).card, at);
}

/** Seconds that a review is reckoned to take, and that a day's queue takes at most. */
export const REVIEW_SECONDS = { question: 40, program: 75 } as const;
export const QUEUE_SECONDS = 300;

/** Reviews, as many as fit into what is left of a day. */
export function fitInto<T extends { seconds: number }>(due: readonly T[], secondsLeft: number): T[] {
  let left = secondsLeft;
  const fitting: T[] = [];
  for (const item of due) {
    if (item.seconds > left) break;
    left -= item.seconds;
    fitting.push(item);
  }
  return fitting;
}
