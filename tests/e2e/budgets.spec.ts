import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { PAGES } from '../support/routes.ts';
import { addressOf, ROUTES } from './addresses.ts';
import { ADMIN, signIn, STUDENT } from './admin-session.ts';
import { expect, test } from './fixtures.ts';

// What a signed-out visitor downloads at most on each page that everybody may open, in kilobytes on the wire.
const KB = 1024;
const BUDGETS = { Document: 15, Script: 5, Stylesheet: 15, Font: 60 };
const MAX_LAYOUT_SHIFT = 0.02;

/** The styles of pages that only who learns or buys sees, which search engines are kept from. */
const APP_STYLESHEET = 18;

type Kind = keyof typeof BUDGETS;

/** Kilobytes that a page may have beyond the budgets, and why; what has no entry keeps to them. */
type Allowance = Partial<Record<Kind, number>> & { react?: true; why: string };

const COURSE: Allowance = { Document: 19, why: 'all that is in a course stands in its page' };
const SELLS: Allowance = {
  Script: 166,
  react: true,
  why: 'a payment form that waits for the provider, and what a consumer agrees to',
};
const form = (Script: number): Allowance => ({
  Script,
  react: true,
  why: 'a form that checks what is typed',
});

const ALLOWANCES: Record<string, Allowance> = {
  '/': { Script: 5.3, why: 'steps that go on by themselves, and what moves into view' },
  '/contact': { Script: 5.3, why: 'a form that is sent without a new page' },
  '/teams': { Script: 5.3, why: 'the form of the contact page' },
  '/courses': { Script: 5.4, why: 'filters that change the list in place' },
  '/api-reference': {
    Document: 43,
    why: 'every call with its words, example and errors stands on one page, to be searched by the browser',
  },
  '/demo': {
    Script: 8.5,
    Stylesheet: APP_STYLESHEET,
    why: 'it runs programs, and shows parts of the pages behind the sign-in',
  },
  '/course/[id]': COURSE,
  '/courses/[id]': COURSE,
  '/buy/[id]': SELLS,
  '/courses/[id]/checkout': SELLS,
  '/purchase-success': form(127),
  '/claim': form(126),
  '/forgot-password': form(130),
  '/login': form(135),
  '/register': form(136),
  '/reset-password': form(130),
  '/scenario/[id]': {
    Script: 131,
    react: true,
    why: 'a simulation that is played here, with notes and questions',
  },
  '/course/[id]/steps': {
    Script: 308,
    react: true,
    why: 'the editor for small screens on every screen, and what checks a step',
  },
  '/lesson/[id]': {
    Script: 1106,
    Stylesheet: 36,
    react: true,
    why: 'the code editor, React’s development build, whose words about mistakes its preview shows, and what keeps lessons',
  },
};

// Pages that are refused say so in the console.
test.use({ allowed: [/status of 4\d\d/] });

async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    let shift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) shift += entry.value;
      document.documentElement.dataset.shift = String(shift);
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

const shiftOf = async (page: Page): Promise<number> =>
  Number((await page.locator('html').getAttribute('data-shift')) ?? 0);

async function watchLoads(page: Page) {
  const loads: { kind: Kind; size: number; url: string }[] = [];
  const kinds = new Map<string, string>();
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  // What is still on its way, by its address. What the browser fetches ahead of a press is not counted, so it is
  // not waited for either: such a fetch may last as long as the browser likes.
  const loading = new Map<string, string>();
  let lastMs = performance.now();
  const ends = (requestId: string) => {
    loading.delete(requestId);
    lastMs = performance.now();
  };
  session.on('Network.requestWillBeSent', ({ requestId, type, request }) => {
    if (type && type in BUDGETS) loading.set(requestId, request.url);
  });
  session.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type));
  session.on('Network.loadingFailed', ({ requestId }) => ends(requestId));
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength: size }) => {
    const kind = kinds.get(requestId);
    if (kind && kind in BUDGETS) loads.push({ kind: kind as Kind, size, url: loading.get(requestId) ?? '' });
    ends(requestId);
  });
  // A script that has come may ask for the next: quiet is half a second without any.
  const quiet = () =>
    expect
      .poll(() => (performance.now() - lastMs > 500 ? [...loading.values()] : ['just came']), {
        message: 'all that the page asks for has come',
      })
      .toEqual([]);
  return { loads, quiet };
}

for (const route of ROUTES.filter((one) => (PAGES[one] ?? 'everybody') === 'everybody')) {
  const allowance = ALLOWANCES[route];
  test.describe(`the page ${route}`, () => {
    // A small screen loads the same: there, pages that are there to be read are looked at for what moves.
    test('stays within its budgets', { tag: allowance?.react ? [] : '@phone' }, async ({ page }, info) => {
      const path = await addressOf(route, page.request);
      const answer = await page.request.get(path);
      expect(answer.status()).toBeLessThan(500);
      expect(answer.headers()['content-type']).toContain('text/html');
      // What leads to another page weighs what that one does.
      if (answer.url() !== new URL(path, answer.url()).href) return;
      // The browser starts with nothing: what the addresses above were asked with is no visitor's.
      await page.context().clearCookies();

      const { loads, quiet } = await watchLoads(page);
      await watchShifts(page);
      // A browser without a screen sometimes makes up a pointer at 0, 0, which would wake what waits for a visitor.
      await page.addInitScript(() => addEventListener('pointermove', (move) => move.stopPropagation(), true));
      await page.goto(path, { waitUntil: 'load' });
      await page.evaluate(async () => {
        for (let y = 0; y < document.documentElement.scrollHeight; y += innerHeight / 2) {
          scrollTo({ top: y, behavior: 'instant' });
          // Until what has come into view is drawn; a browser without a screen was once seen to draw no further frame.
          await Promise.race([
            new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
            new Promise((done) => setTimeout(done, 2_000)),
          ]);
        }
      });
      await quiet();
      const bytes: Record<Kind, number> = { Document: 0, Script: 0, Stylesheet: 0, Font: 0 };
      for (const { kind, size } of loads) bytes[kind] += size;

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
      const isApp = (await page.locator('meta[name=robots][content=noindex]').count()) > 0;
      const limits = { ...BUDGETS, ...(isApp && { Stylesheet: APP_STYLESHEET }), ...allowance };
      expect(bytes.Document).toBeGreaterThan(1 * KB);
      for (const [kind, size] of Object.entries(bytes)) {
        expect.soft(size / KB, `${kind} of ${path}`).toBeLessThanOrEqual(limits[kind as Kind]);
      }
      const framework = await page.evaluate(() =>
        performance
          .getEntriesByType('resource')
          .map(({ name }) => name)
          .filter((name) => /react|client\.[\w-]+\.js|account-menu|toaster/i.test(name)),
      );
      if (allowance?.react) expect.soft(framework, 'it needs no framework any more').not.toEqual([]);
      else expect.soft(framework, 'framework JavaScript for a signed-out visitor').toEqual([]);
      expect.soft(await shiftOf(page), 'cumulative layout shift').toBeLessThanOrEqual(MAX_LAYOUT_SHIFT);
    });
  });
}

/** Loads after a lesson can be worked on. */
const LARGE_EDITOR = /(MonacoHost|editor\.api|javascript|typescript)\./;

// Script files and kilobytes on a first visit.
for (const [route, files, size] of [
  ['/my-courses', 6, 15],
  ['/dashboard', 7, 16],
  // React and dialogs.
  ['/learn/[id]', 14, 134],
  // React’s development build too, except where a small screen hides editor and preview at first.
  ['/lesson/[id]', 20, 355],
  ['/scenario/[id]', 14, 130],
  ['/account', 15, 137],
  ['/admin', 21, 186],
] as const) {
  const isAdmin = route === '/admin';
  test(`scripts of ${route} for who is signed in`, { tag: isAdmin ? [] : '@phone' }, async ({
    page,
    isMobile,
  }) => {
    await signIn(page, isAdmin ? ADMIN : STUDENT);
    // One view in ten loads a script that measures it.
    await page.addInitScript('Math.random = () => 0.5');
    const { loads, quiet } = await watchLoads(page);
    await page.goto(await addressOf(route, page.request));
    await quiet();
    const scripts = loads.filter(({ kind, url }) => kind === 'Script' && !LARGE_EDITOR.test(url));
    const kilobytes = scripts.reduce((sum, one) => sum + one.size / KB, 0);
    expect(kilobytes).toBeGreaterThan(5);
    expect.soft(scripts.length).toBeLessThanOrEqual(files);
    expect(kilobytes).toBeLessThanOrEqual(isMobile && size > 300 ? 145 : size);
  });
}

for (const route of ['/', '/services', '/insights/[id]', '/api-reference', '/register']) {
  test(`nothing moves on ${route} when the font comes late`, async ({ page }) => {
    const path = await addressOf(route, page.request);
    const asked = Promise.withResolvers<() => Promise<void>>();
    await page.route('**/*.woff2', (font) => asked.resolve(() => font.continue()));
    await watchShifts(page);
    await page.goto(path, { waitUntil: 'domcontentloaded' });
    const sendFont = await asked.promise;
    // Long after the first picture: text stands in another font by then.
    await page.waitForFunction(
      () => performance.getEntriesByName('first-contentful-paint').length > 0 && performance.now() > 1_000,
    );
    const came = page.waitForResponse('**/*.woff2');
    await sendFont();
    await (await came).finished();
    await page.evaluate(() => document.fonts.ready);
    await page.waitForLoadState('networkidle');
    expect(await shiftOf(page)).toBeLessThanOrEqual(MAX_LAYOUT_SHIFT);
  });
}
