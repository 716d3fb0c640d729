import { rm } from 'node:fs/promises';
import { type BrowserContext, chromium, type Page } from '@playwright/test';
import postgres from 'postgres';
import { BROWSER_FLAGS, findBrowser } from '../support/browser.ts';
import {
  buildSite,
  databaseOf,
  freePort,
  type RunningSite,
  startSite,
  temporaryFolder,
} from '../support/site.ts';
import { percentile, rowOf } from './measures.ts';
import { report } from './results.ts';

// What a learner on a phone waits for: each page with nothing kept, at the speed that Lighthouse calls slow 4G, with the
// processor slowed four times. Prints figures; asserts none.
const TIMES = process.env.BENCH_SECONDS ? 1 : 5;
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 204_800, uploadThroughput: 96_000 };
const SLOWDOWN = 4;
const LEARNER = { email: 'student@example.com', password: 'learn-demo' };
const buildDir = process.env.BUILD_DIR ?? 'dist-bench';

interface Visit {
  lcp: number;
  inp: number;
  cls: number;
  /** Milliseconds from the first picture until the last part of the page answers. */
  alive: number;
}
interface Screen {
  path: string;
  /** What a learner does there first. */
  act(page: Page): Promise<void>;
}

/** Collected in the page itself, from its first moment on. */
function watch(): void {
  const seen = { lcp: 0, inp: 0, cls: 0, fcp: 0, alive: 0 };
  Object.assign(window, { seen });
  const observe = (type: string, keep: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(keep)).observe({
      type,
      buffered: true,
      durationThreshold: 16,
    } as PerformanceObserverInit);
  observe('largest-contentful-paint', ({ startTime }) => {
    seen.lcp = startTime;
  });
  observe('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') seen.fcp = startTime;
  });
  observe('layout-shift', (entry) => {
    const { value, hadRecentInput } = entry as PerformanceEntry & { value: number; hadRecentInput: boolean };
    if (!hadRecentInput) seen.cls += value;
  });
  observe('event', (entry) => {
    if ((entry as PerformanceEventTiming & { interactionId: number }).interactionId > 0) {
      seen.inp = Math.max(seen.inp, entry.duration);
    }
  });
  addEventListener(
    'astro:hydrate',
    () => {
      seen.alive = performance.now();
    },
    true,
  );
}

async function visit(context: BrowserContext, origin: string, { path, act }: Screen): Promise<Visit> {
  const page = await context.newPage();
  try {
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.setCacheDisabled', { cacheDisabled: true });
    await session.send('Network.emulateNetworkConditions', SLOW_4G);
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
    await page.addInitScript(watch);
    await page.goto(origin + path, { waitUntil: 'networkidle' });
    if (new URL(page.url()).pathname !== path) throw new Error(`${path} led to ${page.url()}`);
    await page.waitForFunction(() => !document.querySelector('astro-island[ssr][client="load"]'));
    await act(page);
    // An event's time is told with the picture after it.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 300))));
    const { fcp, alive, ...seen } = await page.evaluate(
      () => (window as unknown as { seen: Visit & { fcp: number } }).seen,
    );
    return { ...seen, alive: Math.max(0, alive - fcp) };
  } finally {
    await page.close();
  }
}

async function screensOf(sql: postgres.Sql): Promise<Screen[]> {
  // A course that begins with a coding lesson or a scenario opens on a page of its own.
  const first = async (type: string, begins = false) => {
    const [found] = await sql<[{ id: number; course: number }]>`
      select id, course_id as course from lessons
      where type = ${type} and (${!begins} or "order" = (select min("order") from lessons l where l.course_id = lessons.course_id))
      order by id limit 1`;
    return found;
  };
  const [begun, coding, scenario] = [
    await first('text', true),
    await first('interactive_coding'),
    await first('scenario'),
  ];
  await sql`
    insert into enrollments (user_id, course_id)
    select u.id, c.id from users u, courses c where u.email = ${LEARNER.email} and c.id in ${sql([begun.course, coding.course, scenario.course])}
    on conflict do nothing`;
  await sql`
    insert into cart_items (user_id, course_id)
    select u.id, c.id from users u, courses c where u.email = ${LEARNER.email} and c.price_cents > 0
    and not exists (select from enrollments e where e.user_id = u.id and e.course_id = c.id) order by c.id limit 1`;
  const openMenu = (page: Page) =>
    page
      .getByRole('button', { name: /menu|account/i })
      .first()
      .click();
  const type = (page: Page) => page.getByRole('main').getByRole('textbox').first().press('a');
  return [
    { path: '/dashboard', act: openMenu },
    { path: `/learn/${begun.course}`, act: openMenu },
    {
      path: `/lesson/${coding.id}`,
      act: (page) => page.getByRole('button', { name: 'Write the code' }).click(),
    },
    {
      path: `/scenario/${scenario.id}`,
      act: openMenu,
    },
    { path: '/checkout', act: type },
  ];
}

const dataDir = await temporaryFolder('academy-bench-');
const rows: string[] = [];
let site: RunningSite | undefined;
const browser = await chromium.launch({ executablePath: findBrowser(), args: BROWSER_FLAGS });
try {
  await buildSite(buildDir, { BENCH_PAGES: '1' });
  site = await startSite({ buildDir, port: await freePort(), dataDir });
  const sql = postgres(await databaseOf(dataDir), { max: 1, onnotice: () => {} });
  const screens = await screensOf(sql);
  await sql.end();
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
  });
  const page = await context.newPage();
  await page.goto(`${site.url}/login`);
  await page.getByLabel('Email').fill(LEARNER.email);
  await page.getByLabel('Password', { exact: true }).fill(LEARNER.password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.waitForURL('**/dashboard');
  await page.close();
  for (const screen of screens) {
    const visits: Visit[] = [];
    for (let time = 0; time < TIMES; time += 1) visits.push(await visit(context, site.url, screen));
    const median = (name: keyof Visit) =>
      percentile(
        visits.map((one) => one[name]),
        0.5,
      );
    const { path } = screen;
    rows.push(
      rowOf(`${path}: LCP`, `${median('lcp').toFixed(0)} ms`, '≤ 1,000 ms'),
      rowOf(`${path}: INP`, `${median('inp').toFixed(0)} ms`, '≤ 100 ms'),
      rowOf(`${path}: CLS`, `${median('cls').toFixed(3)} of a screen`, '≤ 0.02'),
      rowOf(
        `${path}: from the first picture until all of it answers`,
        `${median('alive').toFixed(0)} ms`,
        '',
      ),
    );
  }
} finally {
  await browser.close();
  await site?.stop();
  await rm(dataDir, { recursive: true, force: true });
}

await report('vitals', ['| measured | value | aim |', '|---|---|---|', ...rows].join('\n'));
