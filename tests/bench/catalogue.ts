import { rm } from 'node:fs/promises';
import type autocannon from 'autocannon';
import { closeDatabase, connectDatabase, sqlClient } from '#db/client.ts';
import { seedScale } from '../support/seed-scale.ts';
import { CATALOGUE_PAGE_SIZE } from '#src/features/catalogue/catalogue.ts';
import {
  buildSite,
  databaseOf,
  freePort,
  type RunningSite,
  startSite,
  temporaryFolder,
} from '../support/site.ts';
import { load as measure, residentMemory } from './measures.ts';
import { report } from './results.ts';
import { PAIRS, searchesOnce, TYPO_PAIRS } from './searches.ts';

// Prints figures and ratios; asserts none. The catalogue of a built site over HTTP, as it grows.
//
//   npm run bench -- catalogue            1,000, 10,000 and 100,000 courses
//   npm run bench -- catalogue 100000     these sizes alone, separated by commas
//
// BENCH_DATA_DIR names a folder whose catalogue is kept for the next run: filling it takes longest.
// Two ways to ask:
// - made anew: a cookie keeps requests out of what visitors share; the addresses of searches and course pages take turns.
// - from the visitors’ cache: without a cookie, until a change of any instance touches it.

const SECONDS = Number(process.env.BENCH_SECONDS ?? 2);
const SIZES = process.argv[3]?.split(',').map(Number) ?? [1000, 10_000, 100_000];
if (SIZES.some((size) => !Number.isInteger(size) || size < 500)) {
  console.error('Sizes are whole numbers from 500, separated by commas.');
  process.exit(1);
}
const DEEP_PAGE = 500;
const buildDir = process.env.BUILD_DIR ?? 'dist-bench';

const TYPED = ['py', 'pro', 'web d', 'mark', 'lands', 'pyhton', 'java', 'exc', 'graphic des', 'compos'];

/** The addresses of each measurement; they take turns. */
function addresses(size: number): [what: string, aim: string, paths: string[]][] {
  const last = Math.ceil(size / CATALOGUE_PAGE_SIZE);
  const deep = Math.min(DEEP_PAGE, last - 10);
  const aim = 'p95 ≤ 60 ms';
  return [
    ['first page', `${aim}, ≤ 4 × bare Astro`, ['/courses']],
    [
      'filtered page',
      aim,
      [1, 2, 3, 4, 5].flatMap((category) =>
        ['rating', 'price-low', 'newest'].map(
          (sort) => `/courses?category=${category}&level=beginner&sort=${sort}`,
        ),
      ),
    ],
    [`page ${deep}`, aim, Array.from({ length: 10 }, (_, index) => `/courses?page=${deep + index}`)],
    ['search of two words', `${aim}, ≤ 4 × bare Astro`, searchesOnce(PAIRS)],
    ['search with a typo', aim, searchesOnce(TYPO_PAIRS)],
    [
      'suggestions',
      'p95 ≤ 30 ms',
      TYPED.map((text) => `/api/suggestions?search=${encodeURIComponent(text)}`),
    ],
    [
      'course page',
      '≤ 4 × bare Astro',
      Array.from({ length: size }, (_, index) => `/courses/${((index * 7919) % size) + 1}`),
    ],
    [
      'GET /api/courses, 48 courses',
      '≤ 2 × bare Astro',
      Array.from({ length: 20 }, (_, index) => `/api/courses?pageSize=48&page=${index + 1}`),
    ],
  ];
}

type Result = Awaited<ReturnType<typeof measure>>;
const figures: string[] = [];

function note(...cells: string[]): void {
  figures.push(`| ${cells.join(' | ')} |`);
  console.log(cells.filter(Boolean).join(', '));
}

function load(site: RunningSite, paths: string[], cookie: string | null): Promise<Result> {
  const headers = { 'accept-encoding': 'gzip', ...(cookie ? { cookie } : {}) };
  let turn = 0;
  // One list for all connections: with a list each, they would ask for the same at the same moment.
  const setupRequest = (request: autocannon.Request) => ({ ...request, path: paths[turn++ % paths.length]! });
  const requests = [{ method: 'GET' as const, headers, setupRequest }];
  const options = { url: site.url.replace('localhost', '127.0.0.1'), duration: SECONDS, requests };
  return measure(site.process.pid!, options);
}

const port = await freePort();
await buildSite(buildDir, { BENCH_PAGES: '1' });
const keptDir = process.env.BENCH_DATA_DIR;
const dataDir = keptDir ?? (await temporaryFolder('academy-bench-'));
let site: RunningSite | undefined;
try {
  site = await startSite({ buildDir, port, dataDir, env: { SEED_DEMO: 'off' } });
  const url = await databaseOf(dataDir);
  connectDatabase(url, { max: 2 });
  const times = new Map<string, number[]>();
  for (const size of SIZES) {
    const began = performance.now();
    await seedScale(size);
    const count = size.toLocaleString('en-US');
    note(count, 'filling', '', `${((performance.now() - began) / 1000).toFixed(1)} s`, '', '', '');
    const rows = await sqlClient()<{ id: number }[]>`select id from courses order by id limit 1`;
    const reference = await load(site, ['/bench/reference'], 'bench=1');
    const show = (what: string, how: string, aim: string, result: Result) =>
      note(
        count,
        what,
        how,
        `${result.rps.toFixed(0)}/s, p50 ${result.p50} ms, p97.5 ${result.p97} ms, ${result.errors} errors`,
        `${result.cpu.toFixed(2)} ms`,
        `${(result.cpu / reference.cpu).toFixed(2)} × bare Astro by CPU`,
        aim,
      );
    show('bare Astro page, one page of courses', 'made anew', '', reference);
    for (const [what, aim, paths] of addresses(size)) {
      const result = await load(site, paths, 'bench=1');
      show(what, 'made anew', aim, result);
      const name = what.startsWith('page ') ? 'deep page' : what;
      times.set(name, [...(times.get(name) ?? []), 1000 / result.rps]);
    }
    show('first page', 'from the visitors’ cache', '≥ 5,000/s', await load(site, ['/courses'], null));
    show(
      'course page',
      'from the visitors’ cache',
      '≥ 5,000/s',
      await load(site, [`/courses/${rows[0]!.id}`], null),
    );
    show(
      'GET /api/courses',
      'from the visitors’ cache',
      '≥ 2,500/s',
      await load(site, ['/api/courses'], null),
    );
    note(
      count,
      'resident memory after all of it',
      '',
      await residentMemory(site.process.pid!),
      '',
      '',
      '≤ 300 MB',
    );
  }
  for (const [what, took] of SIZES.length > 1 ? times : []) {
    const ratio = took.at(-1)! / took[0]!;
    const first = SIZES[0]!.toLocaleString('en-US');
    note('growth', what, 'made anew', `${ratio.toFixed(2)} of the time at ${first}`, '', '', '≤ 2');
  }
  await closeDatabase();
} finally {
  await site?.stop();
  if (!keptDir) await rm(dataDir, { recursive: true, force: true });
}

await report(
  'catalogue',
  `| courses | measured | how | value | site CPU each | ratio | aim |\n|---|---|---|---|---|---|---|\n${figures.join('\n')}`,
);
