export interface SitemapEntry {
  path: string;
  changed?: Date;
}

/** Besides courses, case studies and articles. */
export const PUBLIC_PAGES: readonly string[] = [
  '/',
  '/services',
  '/clients',
  '/marketplace',
  '/courses',
  '/about',
  '/contact',
  '/insights',
  '/teams',
  '/instructors',
  '/accessibility',
];

/** Pages of one person, purchase or session, and the API. */
const PRIVATE_PATHS: readonly string[] = [
  '/admin',
  '/api/',
  '/buy/',
  '/cart',
  '/checkout',
  '/contact/course',
  '/contact/send',
  '/courses/*/checkout',
  '/dashboard',
  '/files/',
  '/forgot-password',
  '/learn/',
  '/lesson/',
  '/login',
  '/my-courses',
  '/purchase-success',
  '/register',
  '/reset-password',
  '/scenario/',
  '/verify-email',
];

const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** By sitemaps.org. */
export function sitemapXml(siteUrl: string, entries: readonly SitemapEntry[]): string {
  const urls = entries.map(({ path, changed }) => {
    const address = `<loc>${escapeXml(new URL(path, siteUrl).href)}</loc>`;
    return `<url>${address}${changed ? `<lastmod>${changed.toISOString()}</lastmod>` : ''}</url>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>\n`;
}

export function robotsText(siteUrl: string): string {
  return [
    'User-agent: *',
    // The JSON-LD of the firm names it.
    'Allow: /api/galaxy-logo.png',
    ...PRIVATE_PATHS.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${new URL('/sitemap.xml', siteUrl).href}`,
    '',
  ].join('\n');
}
