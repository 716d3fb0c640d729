import { counted } from '#src/shared/counted.ts';

/** Stars that a review can give (decision 38). */
export const RATINGS = [1, 2, 3, 4, 5] as const;
/** Characters of a review's text at most. */
export const REVIEW_MAX = 4000;
/** Characters of an answer to a review at most. */
export const ANSWER_MAX = 2000;
/** Reviews on one page of a course. */
export const REVIEWS_PAGE_SIZE = 6;
/** Characters of the reason for hiding a review at most. */
export const HIDE_REASON_MAX = 500;

/** How the reviews of a course spread over the stars. */
export interface RatingSummary {
  /** Average with two decimals; 0 where there is no review. */
  rating: number;
  count: number;
  /** How many reviews gave five stars, four, … one. */
  distribution: { stars: number; count: number }[];
}

/** What the team of a course answers to a review. */
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

/** A review as everybody may read it. */
export interface ShownReview {
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

/** A review as its author sees it. */
export interface OwnReview extends ShownReview {
  /** Why an administrator hid it; null while everybody can read it. */
  hiddenReason: string | null;
}

/** Whether somebody may write a review: `lessons` says that a lesson has to be completed first (decision 38). */
export type MayReview = 'signed-out' | 'not-enrolled' | 'lessons' | 'yes';

/** The summary of so many reviews with 1, 2, … 5 stars. */
export function summarise(counts: ReadonlyMap<number, number>): RatingSummary {
  const distribution = [...RATINGS].reverse().map((stars) => ({ stars, count: counts.get(stars) ?? 0 }));
  const count = distribution.reduce((sum, one) => sum + one.count, 0);
  const points = distribution.reduce((sum, one) => sum + one.stars * one.count, 0);
  return { rating: count === 0 ? 0 : Math.round((100 * points) / count) / 100, count, distribution };
}

/** "1 review", "1,234 reviews". */
export function reviewCountText(count: number): string {
  return counted(count, 'review');
}

/** A share of all reviews in whole percent. */
export function percentOf(count: number, all: number): number {
  return all === 0 ? 0 : Math.round((100 * count) / all);
}
