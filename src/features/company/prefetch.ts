import { PUBLIC_PAGES } from './seo/sitemap.ts';

/** Where browsers read which links may be fetched ahead; sent to signed-out visitors in `Speculation-Rules`. */
export const PREFETCH_RULES_PATH = '/prefetch-rules.json';

/**
 * Links to public pages are fetched once the pointer rests on them or presses them (`moderate`), so that the next page
 * is there at once. Nothing personal is ever asked for ahead, and no script is needed.
 */
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
