import { describe, expect, it } from 'vitest';
import { robotsText, sitemapXml } from './sitemap.ts';

describe('the sitemap', () => {
  it('holds whole addresses, escaped, with the day of the last change', () => {
    const xml = sitemapXml('https://example.com', [
      { path: '/' },
      { path: '/courses/7', changed: new Date('2026-01-02T03:04:05Z') },
      { path: '/courses?category=1&level=<x>' },
    ]);
    expect(xml).toContain('<url><loc>https://example.com/</loc></url>');
    expect(xml).toContain(
      '<url><loc>https://example.com/courses/7</loc><lastmod>2026-01-02T03:04:05.000Z</lastmod></url>',
    );
    expect(xml).toContain('<loc>https://example.com/courses?category=1&amp;level=%3Cx%3E</loc>');
  });
});

describe('robots.txt', () => {
  it('names the sitemap and keeps personal pages out', () => {
    const lines = robotsText('https://example.com').split('\n');
    expect(lines).toContain('Sitemap: https://example.com/sitemap.xml');
    expect(lines).toContain('Disallow: /admin');
    expect(lines).toContain('Disallow: /cart');
    expect(lines).not.toContain('Disallow: /courses');
  });
});
