import { counted } from '#src/shared/counted.ts';

/** Stars that a rating can give (decision 38). */
export const STARS = [1, 2, 3, 4, 5] as const;
/** Characters of a rating's text at most. */
export const RATING_TEXT_MAX = 4000;
/** Characters of an answer to a rating at most. */
export const ANSWER_MAX = 2000;
/** Ratings on one page of a course. */
export const RATINGS_PAGE_SIZE = 6;
/** Characters of the reason for hiding a rating at most. */
export const HIDE_REASON_MAX = 500;

/** How the ratings of a course spread over the stars. */
export interface RatingSummary {
  /** Average with two decimals; 0 where there is no rating. */
  rating: number;
  count: number;
  distribution: { stars: number; count: number }[];
}

/** What the team of a course answers to a rating. */
export interface ShownAnswer {
  body: string;
  /** Of who made the course; null for anybody else of the team. */
  name: string | null;
  /** ISO 8601. */
  createdAt: string;
  isEdited: boolean;
  /** Why an administrator hid it, for the team alone; null while everybody can read it. */
  hiddenReason: string | null;
}

/** A rating as everybody may read it. */
export interface ShownRating {
  id: number;
  rating: number;
  review: string;
  username: string;
  /** ISO 8601. */
  createdAt: string;
  /** Changed by its author after it was written. */
  isEdited: boolean;
  answer: ShownAnswer | null;
}

/** A rating as its author sees it. */
export interface OwnRating extends ShownRating {
  /** Why an administrator hid it; null while everybody can read it. */
  hiddenReason: string | null;
}

/** Whether somebody may write a rating: `lessons` says that a lesson has to be completed first (decision 38). */
export type MayRate = 'signed-out' | 'not-enrolled' | 'lessons' | 'yes';

/** The summary of so many ratings with 1, 2, … 5 stars. */
export function summarise(counts: ReadonlyMap<number, number>): RatingSummary {
  const distribution = [...STARS].reverse().map((stars) => ({ stars, count: counts.get(stars) ?? 0 }));
  const count = distribution.reduce((sum, one) => sum + one.count, 0);
  const points = distribution.reduce((sum, one) => sum + one.stars * one.count, 0);
  return { rating: count === 0 ? 0 : Math.round((100 * points) / count) / 100, count, distribution };
}

/** "1 review", "1,234 reviews". */
export function ratingCountText(count: number): string {
  return counted(count, 'review');
}

/** A share of all ratings in whole percent. */
export function percentOf(count: number, all: number): number {
  return all === 0 ? 0 : Math.round((100 * count) / all);
}
