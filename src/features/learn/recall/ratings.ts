/** How well something was remembered, from worst to best. */
export const RATINGS = ['forgot', 'hard', 'good', 'easy'] as const;
export type ReviewRating = (typeof RATINGS)[number];
