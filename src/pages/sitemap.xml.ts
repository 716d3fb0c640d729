import type { APIRoute } from 'astro';
import { listCourses } from '#src/features/catalogue/search/search.server.ts';
import { PUBLIC_PAGES, type SitemapEntry, sitemapXml } from '#src/features/company/seo/sitemap.ts';
import { listArticles, listCases } from '#src/features/company/stories/stories.server.ts';
import { bundlePath } from '#src/features/store/bundles/bundles.ts';
import { offered, shownBundles } from '#src/features/store/bundles/bundles.server.ts';
import { env } from '#src/server/start/env.ts';

export const prerender = false;

const PAGE_SIZE = 200;
// A sitemap may hold 50,000 addresses (sitemaps.org).
const MAX_PAGES = 249;

/** The public pages, case studies, articles, every visible course and every bundle. */
export const GET: APIRoute = async () => {
  const entries: SitemapEntry[] = PUBLIC_PAGES.map((path) => ({ path }));
  for (const { id, data } of await listCases())
    entries.push({ path: `/clients/${id}`, changed: data.published });
  for (const { id, data } of await listArticles())
    entries.push({ path: `/insights/${id}`, changed: data.changed ?? data.published });
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const { rows, total } = await listCourses({ sort: 'newest', page, pageSize: PAGE_SIZE });
    entries.push(...rows.map(({ id }) => ({ path: `/courses/${id}` })));
    if (page * PAGE_SIZE >= total) break;
  }
  entries.push(...offered(await shownBundles()).map(({ id }) => ({ path: bundlePath(id) })));
  return new Response(sitemapXml(env().siteUrl, entries), {
    headers: { 'content-type': 'application/xml; charset=utf-8', 'cache-control': 'public, max-age=3600' },
  });
};
