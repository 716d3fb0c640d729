import { splitByWeight } from '#src/features/store/coupons/coupons.ts';

export const BUNDLE_COURSES_MIN = 2;
export const BUNDLE_COURSES_MAX = 20;

type PricedBundle = {
  priceCents: number;
  state: 'active' | 'hidden';
  /** False for a course that is not for sale, and for the place of a deleted one. */
  courses: readonly { priceCents: number; listed: boolean }[];
};

export function singlyCents({ courses }: Pick<PricedBundle, 'courses'>): number {
  return courses.reduce((sum, course) => sum + course.priceCents, 0);
}

export function notOffered(bundle: PricedBundle): string | null {
  if (bundle.state === 'hidden') return 'Hidden';
  if (bundle.courses.length < BUNDLE_COURSES_MIN) return 'Has too few courses';
  if (bundle.courses.some((course) => !course.listed)) return 'Has a course that is not for sale';
  if (bundle.priceCents >= singlyCents(bundle)) return 'Costs no less than its courses singly';
  return null;
}

/**
 * Splits the bundle's price over its courses by their single prices, to the cent (decision 98).
 * @returns null where the bundle is not offered
 */
export function bundleShares(bundle: PricedBundle): number[] | null {
  if (notOffered(bundle)) return null;
  return splitByWeight(
    bundle.priceCents,
    bundle.courses.map((course) => course.priceCents),
  );
}

export function lineTitle({ title, bundleTitle }: { title: string; bundleTitle: string | null }): string {
  return bundleTitle === null ? title : `${title} (bundle “${bundleTitle}”)`;
}

export const bundlePath = (id: number) => `/bundles/${id}`;
export const buyBundlePath = (id: number) => `/buy/bundle-${id}`;
