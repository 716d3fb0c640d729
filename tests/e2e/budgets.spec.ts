import { gzipSync } from 'node:zlib';
import { expect, test } from './fixtures.ts';

// What a signed-out visitor downloads at most on the pages that everybody sees first, in bytes on the wire.
const KB = 1024;
const BUDGETS = { Document: 15 * KB, Script: 10 * KB, Stylesheet: 15 * KB, Font: 60 * KB };
const MAX_LAYOUT_SHIFT = 0.02;
const PAGES = [
  '/',
  '/about',
  '/services',
  '/clients',
  '/contact',
  '/insights',
  '/marketplace',
  '/no-such-page',
];

type Kind = keyof typeof BUDGETS;

for (const path of PAGES) {
  test.describe(`the page ${path}`, () => {
    test.use({ allowed: [/status of 404/] });

    test('stays within its budgets', { tag: '@phone' }, async ({ page }, info) => {
      const bytes: Record<Kind, number> = { Document: 0, Script: 0, Stylesheet: 0, Font: 0 };
      const kinds = new Map<string, string>();
      const session = await page.context().newCDPSession(page);
      await session.send('Network.enable');
      session.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type));
      session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
        const kind = kinds.get(requestId);
        if (kind && kind in bytes) bytes[kind as Kind] += encodedDataLength;
      });
      await page.addInitScript(() => {
        let shift = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
            shift += entry.value;
          document.documentElement.dataset.shift = String(shift);
        }).observe({ type: 'layout-shift', buffered: true });
      });
      await page.goto(path, { waitUntil: 'networkidle' });
      await page.evaluate(async () => {
        for (let y = 0; y < document.documentElement.scrollHeight; y += innerHeight / 2) {
          scrollTo({ top: y, behavior: 'instant' });
          await new Promise((done) => setTimeout(done, 80));
        }
      });
      await page.waitForLoadState('networkidle');

      const inline = await page
        .locator('script:not([src]):not([type="application/ld+json"])')
        .evaluateAll((scripts) => scripts.map(({ textContent }) => textContent).join('\n'));
      // Scripts in the page came with the document, and count as script.
      const inlineBytes = inline ? gzipSync(inline, { level: 9 }).length : 0;
      bytes.Script += inlineBytes;
      bytes.Document -= inlineBytes;

      const kilobytes = Object.entries(bytes).map(([kind, size]) => `${kind} ${(size / KB).toFixed(1)} KB`);
      info.annotations.push({ type: 'weight', description: `${path}: ${kilobytes.join(', ')}` });
      console.log(`${path}: ${kilobytes.join(', ')}`);
      expect(bytes.Document).toBeGreaterThan(1 * KB);
      for (const [kind, limit] of Object.entries(BUDGETS)) {
        expect(bytes[kind as Kind], `${kind} of ${path}`).toBeLessThanOrEqual(limit);
      }
      const framework = await page.evaluate(() =>
        performance
          .getEntriesByType('resource')
          .map(({ name }) => name)
          .filter((name) => /react|client\.[\w-]+\.js|account-menu|toaster/i.test(name)),
      );
      expect(framework, 'framework JavaScript for a signed-out visitor').toEqual([]);
      const shift = Number((await page.locator('html').getAttribute('data-shift')) ?? 0);
      expect(shift, 'cumulative layout shift').toBeLessThanOrEqual(MAX_LAYOUT_SHIFT);
    });
  });
}
