import { counted } from '#src/shared/counted.ts';

/** Decision 38. */
export const STARS = [1, 2, 3, 4, 5] as const;
export const RATING_TEXT_MAX = 4000;
export const ANSWER_MAX = 2000;
export const RATINGS_PAGE_SIZE = 6;
export const HIDE_REASON_MAX = 500;

export interface RatingSummary {
  /** Two decimals; 0 without ratings. */
  rating: number;
  count: number;
  distribution: { stars: number; count: number }[];
}

export interface ShownAnswer {
  body: string;
  /** Null for members who did not make the course. */
  name: string | null;
  /** ISO 8601. */
  createdAt: string;
  isEdited: boolean;
  /** For the team; null for public. */
  hiddenReason: string | null;
}

export interface ShownRating {
  id: number;
  rating: number;
  review: string;
  username: string;
  /** ISO 8601. */
  createdAt: string;
  isEdited: boolean;
  answer: ShownAnswer | null;
}

export interface OwnRating extends ShownRating {
  /** Null for public. */
  hiddenReason: string | null;
}

/** `lessons`: complete a lesson first (decision 38). */
export type MayRate = 'signed-out' | 'not-enrolled' | 'lessons' | 'yes';

export function summarise(counts: ReadonlyMap<number, number>): RatingSummary {
  const distribution = [...STARS].reverse().map((stars) => ({ stars, count: counts.get(stars) ?? 0 }));
  const count = distribution.reduce((sum, one) => sum + one.count, 0);
  const points = distribution.reduce((sum, one) => sum + one.stars * one.count, 0);
  return { rating: count === 0 ? 0 : Math.round((100 * points) / count) / 100, count, distribution };
}

export function ratingCountText(count: number): string {
  return counted(count, 'review');
}

export function percentOf(count: number, all: number): number {
  return all === 0 ? 0 : Math.round((100 * count) / all);
}
