import { type Card, createEmptyCard, fsrs, type Grade, Rating, State } from 'ts-fsrs';

const GRADES = {
  forgot: Rating.Again,
  hard: Rating.Hard,
  good: Rating.Good,
  easy: Rating.Easy,
} satisfies Record<string, Grade>;

/** Worst to best. */
export type ReviewRating = keyof typeof GRADES;

const WANTED_RETENTION = 0.9;
/** Days, the longest interval. */
const LONGEST_DAYS = 365;

// By days, and without fuzz, so that equal answers give equal days.
const scheduler = fsrs({
  request_retention: WANTED_RETENTION,
  maximum_interval: LONGEST_DAYS,
  enable_fuzz: false,
  enable_short_term: false,
});

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

/** A clock set back must not reverse the order of reviews. */
const notBefore = (now: Date, last: Date) => (now < last ? last : now);

/** Of a lesson just completed. */
export function firstMemory(now: Date): Memory {
  return memoryOf(scheduler.next(createEmptyCard(now), now, Rating.Good).card, now);
}

/** From 0 to 1. */
export function retrievability(memory: Memory, now: Date): number {
  return scheduler.get_retrievability(cardOf(memory), notBefore(now, memory.lastReview), false);
}

export function afterReview(memory: Memory, rating: ReviewRating, now: Date): Memory {
  const at = notBefore(now, memory.lastReview);
  return memoryOf(scheduler.next(cardOf(memory), at, GRADES[rating]).card, at);
}

/** Seconds of a review, and of a day's queue. */
export const REVIEW_SECONDS = { question: 40, program: 75 } as const;
export const QUEUE_SECONDS = 300;

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
