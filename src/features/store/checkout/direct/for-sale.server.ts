import type { CurrentUser } from '#src/features/account/session.server.ts';
import { isOpenedLater, levelLabel } from '#src/features/catalogue/catalogue.ts';
import { findCourse } from '#src/features/catalogue/catalogue.server.ts';
import { type Bundle, findOffered, ownedCourses } from '#src/features/store/bundles/bundles.server.ts';
import { singlyCents } from '#src/features/store/bundles/bundles.ts';
import { parseCount } from '#src/shared/list-query.ts';
import type { DirectCourse } from './direct-payment.ts';

type ForSale = {
  partlyOwned: number | null;
  bought: DirectCourse | null;
  bundleId: number | null;
  owned: boolean;
  later: boolean;
  wanted: number[];
};

/** @param name "12" for a course, "bundle-3" for a bundle */
export async function findForSale(name: string | undefined, user: CurrentUser | null): Promise<ForSale> {
  const bundleId = parseCount(/^bundle-(\d+)$/.exec(name ?? '')?.[1] ?? null);
  const bundle = bundleId === null ? null : await findOffered(bundleId);
  if (bundle) return bundleForSale(bundle, user);
  const id = parseCount(name);
  const view = id === null ? null : await findCourse(id, user);
  // Administrators see hidden courses elsewhere; the store sells none.
  const course = view && (view.course.isActive || view.enrolled) ? view.course : null;
  const bought = course && {
    id: course.id,
    title: course.title,
    thumbnail: course.thumbnail,
    facts: [levelLabel(course.level), course.duration, 'Lifetime access'].filter(Boolean).join(' · '),
    priceCents: course.priceCents,
    originalPriceCents: course.originalPriceCents,
  };
  const wanted = course ? [course.id] : [];
  return {
    partlyOwned: null,
    bought,
    bundleId: null,
    owned: view?.enrolled === true,
    later: course !== null && isOpenedLater(course.priceCents, view!.lessons),
    wanted,
  };
}

async function bundleForSale(bundle: Bundle, user: CurrentUser | null): Promise<ForSale> {
  const isPartlyOwned = user !== null && (await ownedCourses(user.id, bundle)).length > 0;
  return {
    partlyOwned: isPartlyOwned ? bundle.id : null,
    bought: {
      id: bundle.id,
      title: bundle.title,
      thumbnail: bundle.courses[0]!.thumbnail,
      facts: `${bundle.courses.length} courses · Lifetime access`,
      priceCents: bundle.priceCents,
      originalPriceCents: singlyCents(bundle),
      courses: bundle.courses.map(({ id, title }) => ({ id: id!, title })),
    },
    bundleId: bundle.id,
    owned: false,
    later: false,
    wanted: bundle.courses.flatMap(({ id }) => id ?? []),
  };
}
