import { splitByWeight } from '#src/features/store/coupons/coupons.ts';

/** Courses that a bundle holds. */
export const BUNDLE_COURSES_MIN = 2;
export const BUNDLE_COURSES_MAX = 20;

/** A bundle with its courses as far as its price is concerned; amounts in cents. */
export type PricedBundle = {
  priceCents: number;
  state: 'active' | 'hidden';
  /** `listed` is false for a course that is not for sale, and for the place of one that was deleted. */
  courses: readonly { priceCents: number; listed: boolean }[];
};

/** What the courses of a bundle cost singly, in cents. */
export function singlyCents({ courses }: Pick<PricedBundle, 'courses'>): number {
  return courses.reduce((sum, course) => sum + course.priceCents, 0);
}

/** Why a bundle is not offered, for administrators; null where it is. */
export function notOffered(bundle: PricedBundle): string | null {
  if (bundle.state === 'hidden') return 'Hidden';
  if (bundle.courses.length < BUNDLE_COURSES_MIN) return 'Has too few courses';
  if (bundle.courses.some((course) => !course.listed)) return 'Has a course that is not for sale';
  if (bundle.priceCents >= singlyCents(bundle)) return 'Costs no less than its courses singly';
  return null;
}

/**
 * What each course of a bundle costs in it: the bundle's price split over them by what they cost singly, every cent placed
 * (decision 98). Orders keep these as the prices of their lines.
 *
 * @returns null where the bundle is not offered
 */
export function bundleShares(bundle: PricedBundle): number[] | null {
  if (notOffered(bundle)) return null;
  return splitByWeight(
    bundle.priceCents,
    bundle.courses.map((course) => course.priceCents),
  );
}

/** "Title, in the bundle “B”": names a line of an order wherever it stands alone. */
export function lineTitle({ title, bundleTitle }: { title: string; bundleTitle: string | null }): string {
  return bundleTitle === null ? title : `${title} (bundle “${bundleTitle}”)`;
}

/** Where a bundle is shown, and bought directly. */
export const bundlePath = (id: number) => `/bundles/${id}`;
export const buyBundlePath = (id: number) => `/buy/bundle-${id}`;
