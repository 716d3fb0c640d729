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
  cls: number;
  /** Milliseconds from the first picture until the last part of the page answers. */
  alive: number;
  /** What was done, and how long each took until its next picture. */
  done: { what: string; took: number }[];
}
interface Screen {
  path: string;
  /** Makes it what it was before the last visit. */
  before?: () => Promise<unknown>;
  /** What a learner does there, in this order. */
  acts: [what: string, act: (page: Page) => Promise<void>][];
}

/** What the browser does not tell of, as it took less. */
const TOLD_FROM = 16;

/** Collected in the page itself, from its first moment on. */
function watch(): void {
  const seen = { lcp: 0, took: 0, cls: 0, fcp: 0, alive: 0 };
  Object.assign(window, { seen });
  const observe = (type: string, keep: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(keep)).observe({
      type,
      buffered: true,
      // The least that a browser tells of.
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
      seen.took = Math.max(seen.took, entry.duration);
    }
  });
  addEventListener(
    'astro:hydrate',
    () => {
      seen.alive = performance.now();
    },
    true,
  );
  // The page stays, so that what it does about a press on a link can be told.
  addEventListener('click', (event) => {
    if ((event.target as Element).closest?.('a[href]')) event.preventDefault();
  });
}

async function visit(
  context: BrowserContext,
  origin: string,
  { path, before, acts }: Screen,
): Promise<Visit> {
  const page = await context.newPage();
  try {
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.setCacheDisabled', { cacheDisabled: true });
    await session.send('Network.emulateNetworkConditions', SLOW_4G);
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
    await page.addInitScript(watch);
    await before?.();
    const answer = await page.goto(origin + path, { waitUntil: 'networkidle' });
    if (!answer?.ok()) throw new Error(`${path} answered ${answer?.status()}`);
    if (page.url() !== origin + path) throw new Error(`${path} led to ${page.url()}`);
    await page.waitForFunction(() => !document.querySelector('astro-island[ssr][client="load"]'));
    type Seen = Pick<Visit, 'lcp' | 'cls' | 'alive'> & { fcp: number; took: number };
    // What is drawn because somebody pressed something is none of it.
    const lcp = await page.evaluate(() => (window as unknown as { seen: Seen }).seen.lcp);
    const done: Visit['done'] = [];
    for (const [what, act] of acts) {
      await page.evaluate(() => Object.assign((window as unknown as { seen: Seen }).seen, { took: 0 }));
      await act(page);
      // An event's time is told with the picture after it.
      await page.evaluate(() => new Promise((told) => requestAnimationFrame(() => setTimeout(told, 300))));
      const took = await page.evaluate(() => (window as unknown as { seen: Seen }).seen.took);
      done.push({ what, took: Math.max(took, TOLD_FROM) });
    }
    const { cls, fcp, alive } = await page.evaluate(() => (window as unknown as { seen: Seen }).seen);
    return { lcp, cls, done, alive: Math.max(0, alive - fcp) };
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
  const [begun, quiz, coding, scenario] = [
    await first('text', true),
    await first('quiz'),
    await first('interactive_coding'),
    await first('scenario'),
  ];
  const [played] = await sql<[{ id: number }]>`select id from scenarios where lesson_id = ${scenario.id}`;
  await sql`
    insert into enrollments (user_id, course_id)
    select u.id, c.id from users u, courses c where u.email = ${LEARNER.email} and c.id in ${sql([begun.course, quiz.course, coding.course, scenario.course])}
    on conflict do nothing`;
  await sql`
    insert into cart_items (user_id, course_id)
    select u.id, c.id from users u, courses c where u.email = ${LEARNER.email} and c.price_cents > 0
    and not exists (select from enrollments e where e.user_id = u.id and e.course_id = c.id) order by c.id limit 1`;
  const press =
    (name: string | RegExp) =>
    (page: Page): Promise<void> =>
      page.getByRole('button', { name }).first().click();
  const openMenu: Screen['acts'][number] = ['opening the menu', press(/menu|account/i)];
  const closeMenu: Screen['acts'][number] = ['closing it', (page) => page.keyboard.press('Escape')];
  const type: Screen['acts'][number] = [
    'typing',
    (page) => page.getByRole('main').getByRole('textbox').last().press('a'),
  ];
  return [
    { path: '/dashboard', acts: [openMenu, closeMenu] },
    {
      path: `/learn/${begun.course}`,
      acts: [
        openMenu,
        closeMenu,
        ['opening the content', press(/Course content/)],
        ['closing the content', press(/Course content/)],
        type,
        ['next', (page) => page.locator('a[rel="next"]').first().click()],
      ],
    },
    {
      path: `/learn/${quiz.course}?lesson=${quiz.id}`,
      acts: [['choosing an answer', (page) => page.locator('label:has([type="radio"])').first().click()]],
    },
    {
      path: `/lesson/${coding.id}`,
      acts: [
        ['opening the editor', press('Write the code')],
        ['typing', (page) => page.getByRole('textbox', { name: /code/i }).press('a')],
        ['running', press(/^Run/)],
      ],
    },
    {
      path: `/scenario/${played.id}`,
      before: () => sql`delete from scenario_progress`,
      acts: [
        openMenu,
        closeMenu,
        ['starting', press('Start Scenario')],
        ['typing', (page) => page.getByLabel('Your action').press('a')],
        ['acting', press('Do it')],
      ],
    },
    {
      path: '/checkout',
      acts: [['typing', (page) => page.getByRole('main').getByRole('textbox').first().press('a')]],
    },
  ];
}

/** What all that was done took until its next picture, with what took the longest. */
function inpOf(visits: readonly Visit[]): string {
  const all = visits.flatMap(({ done }) => done);
  const p75 = percentile(
    all.map(({ took }) => took),
    0.75,
  );
  const slowest = all.reduce((most, one) => (one.took > most.took ? one : most));
  return `p75 ${p75.toFixed(0)} ms of ${all.length}, at most ${slowest.took.toFixed(0)} ms (${slowest.what})`;
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
  const context = await browser.newContext({
    // The slow line is the page's alone: what a worker fetches for it, or has kept, would come as by a quick one.
    serviceWorkers: 'block',
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
    const median = (name: 'lcp' | 'cls' | 'alive') =>
      percentile(
        visits.map((one) => one[name]),
        0.5,
      );
    const { path } = screen;
    rows.push(
      rowOf(`${path}: LCP`, `${median('lcp').toFixed(0)} ms`, '≤ 1,000 ms'),
      rowOf(`${path}: INP`, inpOf(visits), 'p75 ≤ 100 ms'),
      rowOf(`${path}: CLS`, `${median('cls').toFixed(3)} of a screen`, '≤ 0.02'),
      rowOf(
        `${path}: from the first picture until all of it answers`,
        `${median('alive').toFixed(0)} ms`,
        '',
      ),
    );
  }
  await sql.end();
} finally {
  await browser.close();
  await site?.stop();
  await rm(dataDir, { recursive: true, force: true });
}

await report('vitals', ['| measured | value | aim |', '|---|---|---|', ...rows].join('\n'));
