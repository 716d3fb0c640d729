import { PUBLIC_PAGES } from './seo/sitemap.ts';

/** For signed-out visitors, in `Speculation-Rules`. */
export const PREFETCH_RULES_PATH = '/prefetch-rules.json';

/** Prefetches public pages when the pointer rests on a link (`moderate`); never personal ones. */
export function prefetchRules(): object {
  return {
    prefetch: [
      {
        where: {
          and: [
            { href_matches: [...PUBLIC_PAGES, '/courses?*', '/courses/*', '/course/*/steps?*'] },
            { not: { href_matches: '/courses/*/checkout' } },
          ],
        },
        eagerness: 'moderate',
      },
    ],
  };
}
