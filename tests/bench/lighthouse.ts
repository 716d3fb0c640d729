import { spawnSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from '@playwright/test';
import postgres from 'postgres';
import { closeDatabase, connectDatabase } from '#db/client.ts';
import { makeEnrollment, makeUser } from '../support/factories.ts';
import { openSession, SESSION_COOKIE, type SignIn } from '#src/features/account/session.server.ts';
import { AUTH_TOKEN_KEY, AUTH_USER_KEY, type StoredUser } from '#src/shared/auth-storage.ts';
import { BROWSER_FLAGS, findBrowser } from '../support/browser.ts';
import {
  buildSite,
  databaseOf,
  freePort,
  type RunningSite,
  startSite,
  temporaryFolder,
} from '../support/site.ts';
import { markMissed } from './aims.ts';
import { percentile, rowOf } from './measures.ts';
import { report } from './results.ts';

// What Lighthouse says of the built site with its demo, as on a phone. It comes from the registry into a temporary folder
// and is no dependency: nothing else needs it. Prints figures; asserts none.
//
//   npm run bench -- lighthouse             each page three times; once with BENCH_SECONDS
//   npm run bench -- lighthouse /le,/co     only pages whose address begins so; printed only
const LIGHTHOUSE = 'lighthouse@13';
const TIMES = process.env.BENCH_SECONDS ? 1 : 3;
const ONLY = process.argv[3]?.split(',');
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];
const buildDir = process.env.BUILD_DIR ?? 'dist-bench';

interface Result {
  runtimeError?: { code: string; message: string };
  finalDisplayedUrl: string;
  categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<string, { score: number | null; numericValue?: number }>;
}
interface SignedIn extends SignIn {
  user: StoredUser;
}
interface Page {
  path: string;
  /** Of 100. */
  performance?: number;
  by?: SignedIn;
  /** Kept out of search engines, so that what Lighthouse says of them is no aim. */
  noindex?: boolean;
}

/** Keeps a sign-in in a browser as the forms do: a page that finds its cookie without a token signs it out. */
async function signIn(port: number, origin: string, { token, user, cookieSecret }: SignedIn): Promise<void> {
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  const context = browser.contexts()[0]!;
  await context.addCookies([{ name: SESSION_COOKIE, value: cookieSecret, url: origin }]);
  const page = await context.newPage();
  await page.goto(`${origin}/robots.txt`);
  await page.evaluate((kept) => Object.assign(localStorage, kept), {
    [AUTH_TOKEN_KEY]: token,
    [AUTH_USER_KEY]: JSON.stringify(user),
  });
  await page.close();
  await browser.close();
}

async function install(folder: string) {
  const args = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error', LIGHTHOUSE];
  if (spawnSync('npm', args, { stdio: 'inherit' }).status !== 0) {
    throw new Error(
      `${LIGHTHOUSE} could not be installed from the registry. This run of the bench needs it.`,
    );
  }
  const load = (path: string) => import(pathToFileURL(join(folder, 'node_modules', path)).href);
  const { launch } = await load('chrome-launcher/dist/index.js');
  const { default: lighthouse } = await load('lighthouse/core/index.js');
  return async ({ path, by }: Page, origin: string): Promise<Result> => {
    // A browser for each visit: it comes with nothing kept.
    const browser = await launch({
      chromePath: findBrowser(),
      chromeFlags: ['--headless', ...BROWSER_FLAGS],
    });
    try {
      if (by) await signIn(browser.port, origin, by);
      const flags = { port: browser.port, onlyCategories: CATEGORIES, logLevel: 'error' };
      const { lhr } = (await lighthouse(origin + path, flags)) as { lhr: Result };
      if (lhr.runtimeError) throw new Error(`${path}: ${lhr.runtimeError.message}`);
      // Otherwise the figures are those of the sign-in.
      if (new URL(lhr.finalDisplayedUrl).pathname !== path) {
        throw new Error(`${path} led to ${lhr.finalDisplayedUrl}`);
      }
      const unknown = CATEGORIES.find((category) => typeof lhr.categories[category]?.score !== 'number');
      if (unknown) throw new Error(`${path}: Lighthouse has no figure for ${unknown}.`);
      return lhr;
    } finally {
      browser.kill();
    }
  };
}

async function pagesOf(sql: postgres.Sql): Promise<Page[]> {
  const [course] = await sql<[{ id: number }]>`
    select c.id from courses c join lessons l on l.course_id = c.id and l.type = 'interactive_coding'
    order by c.id, l.id limit 1`;
  const [lesson] = await sql<[{ id: number }]>`
    select id from lessons where course_id = ${course.id} and type = 'interactive_coding' order by "order" limit 1`;
  // A course that begins with a coding lesson opens on a page of its own.
  const [read] = await sql<[{ id: number }]>`
    select course_id as id from lessons
    where type = 'text' and "order" = (select min("order") from lessons l where l.course_id = lessons.course_id)
    order by id limit 1`;
  const [bundle] = await sql<[{ id: number }]>`select id from bundles order by id limit 1`;
  const { id, username, email, role } = await makeUser({ emailVerifiedAt: new Date() });
  await makeEnrollment(id, course.id);
  await makeEnrollment(id, read.id);
  const by = { ...(await openSession(id, 'bench')), user: { id, username, email, role } };
  return [
    { path: '/', performance: 98 },
    { path: '/services', performance: 98 },
    { path: '/about', performance: 98 },
    { path: '/marketplace' },
    { path: '/courses', performance: 95 },
    { path: `/courses/${course.id}`, performance: 95 },
    { path: `/bundles/${bundle.id}` },
    { path: '/demo' },
    { path: '/login', noindex: true },
    { path: '/dashboard', by, noindex: true },
    { path: `/learn/${read.id}`, by, noindex: true },
    { path: `/lesson/${lesson.id}`, by, noindex: true, performance: 95 },
  ];
}

/** The rows of a page: the median of its visits, and what its last one failed. */
function rowsOf({ path, performance, noindex }: Page, visits: Result[]): string[] {
  const median = (of: (visit: Result) => number | null | undefined) =>
    percentile(
      visits.map((visit) => of(visit) ?? Number.NaN),
      0.5,
    );
  const time = (id: string) => median(({ audits }) => audits[id]?.numericValue);
  const last = visits.at(-1)!;
  return CATEGORIES.map((category) => {
    const score = Math.round(100 * median(({ categories }) => categories[category]?.score));
    const failed = last.categories[category]!.auditRefs.filter(
      ({ id, weight }) => weight > 0 && last.audits[id]!.score !== null && last.audits[id]!.score! < 1,
    ).map(({ id }) => id);
    const details =
      category === 'performance'
        ? `LCP ${(time('largest-contentful-paint') / 1000).toFixed(2)} s, CLS ${time('cumulative-layout-shift').toFixed(3)}, TBT ${time('total-blocking-time').toFixed(0)} ms`
        : failed.join(', ');
    const limit = category === 'performance' ? performance : category === 'seo' && noindex ? undefined : 100;
    const value = `${score} of 100${details && `, ${details}`}`;
    return rowOf(`${path}: ${category}`, value, limit === undefined ? '' : `≥ ${limit}`);
  });
}

const dataDir = await temporaryFolder('academy-bench-');
const rows: string[] = [];
let site: RunningSite | undefined;
try {
  const visit = await install(join(dataDir, 'lighthouse'));
  await buildSite(buildDir, { BENCH_PAGES: '1' });
  site = await startSite({ buildDir, port: await freePort(), dataDir });
  const url = await databaseOf(dataDir);
  connectDatabase(url, { max: 2 });
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  const pages = await pagesOf(sql);
  await sql.end();
  await closeDatabase();
  for (const page of pages) {
    if (ONLY && !ONLY.some((start) => page.path.startsWith(start))) continue;
    const visits: Result[] = [];
    for (let time = 0; time < TIMES; time += 1) visits.push(await visit(page, site.url));
    rows.push(...rowsOf(page, visits));
  }
} finally {
  await site?.stop();
  await rm(dataDir, { recursive: true, force: true });
}

const table = ['| measured | value | aim |', '|---|---|---|', ...rows].join('\n');
if (ONLY) console.log(`\n${markMissed(table)}`);
else await report('lighthouse', table);
