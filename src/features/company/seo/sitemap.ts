/** One address of the sitemap. */
export interface SitemapEntry {
  path: string;
  /** When the page last changed, where that is known. */
  changed?: Date;
}

/** The pages that everybody may find, besides courses, case studies and articles. */
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
  '/accessibility',
];

/** What search engines have no business in: pages of one person, of one purchase or of one session, and the API. */
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

/** A sitemap as XML (sitemaps.org). */
export function sitemapXml(siteUrl: string, entries: readonly SitemapEntry[]): string {
  const urls = entries.map(({ path, changed }) => {
    const address = `<loc>${escapeXml(new URL(path, siteUrl).href)}</loc>`;
    return `<url>${address}${changed ? `<lastmod>${changed.toISOString()}</lastmod>` : ''}</url>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>\n`;
}

/** The text of robots.txt. */
export function robotsText(siteUrl: string): string {
  return [
    'User-agent: *',
    // Named by the page's own description of the firm.
    'Allow: /api/galaxy-logo.png',
    ...PRIVATE_PATHS.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${new URL('/sitemap.xml', siteUrl).href}`,
    '',
  ].join('\n');
}
