import { readFile, rm } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import autocannon from 'autocannon';
import { closeDatabase, connectDatabase, sqlClient } from '#db/client.ts';
import { startEmbeddedPostgres } from '#db/embedded.ts';
import { seedScale } from '#db/seed-scale.ts';
import { CATALOGUE_PAGE_SIZE } from '#src/features/catalogue/catalogue.ts';
import { buildSite, freePort, type RunningSite, startSite, temporaryFolder } from '../support/site.ts';

// Prints figures and ratios; asserts none. The catalogue of a built site over HTTP, as it grows. A cookie keeps requests
// out of what visitors share, so that each page is made for the one who asks; "shared" is without it.

const CONNECTIONS = 16;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 5);
const SIZES = [1000, 10_000, 100_000];
const DEEP_PAGE = 500;
const buildDir = process.env.BUILD_DIR ?? 'dist-bench';

const WORDS = [
  'python',
  'web',
  'learning',
  'data',
  'excel',
  'design',
  'marketing',
  'react',
  'sql',
  'leadership',
];
const SECOND_WORDS = [
  'projects',
  'beginners',
  'guide',
  'essentials',
  'workshop',
  'students',
  'teams',
  'practice',
];
const TYPOS = [
  'pyhton',
  'javascirpt',
  'marketting',
  'fotography',
  'leadreship',
  'kubernets',
  'tpyescript',
  'acounting',
];
const TYPED = ['py', 'pro', 'web d', 'mark', 'lands', 'pyhton', 'java', 'exc', 'graphic des', 'compos'];

const searches = (texts: string[]) => texts.map((text) => `/courses?search=${encodeURIComponent(text)}`);

/** The addresses of each measurement; they take turns. */
function addresses(size: number, ids: number[]): [what: string, aim: string, paths: string[]][] {
  const last = Math.ceil(size / CATALOGUE_PAGE_SIZE);
  const deep = Math.min(DEEP_PAGE, last - 10);
  const aim = 'p95 ≤ 60 ms';
  return [
    ['first page', aim, ['/courses']],
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
    ['search of two words', aim, searches(WORDS.flatMap((a) => SECOND_WORDS.map((b) => `${a} ${b}`)))],
    ['search with a typo', aim, searches(TYPOS)],
    [
      'suggestions',
      'p95 ≤ 30 ms',
      TYPED.map((text) => `/api/suggestions?search=${encodeURIComponent(text)}`),
    ],
    ['course page', '', ids.map((id) => `/courses/${id}`)],
  ];
}

type Result = { perSecond: number; p50: number; p97: number; cpu: number; errors: number };
const figures: string[] = [];

function note(...cells: string[]): void {
  figures.push(`| ${cells.join(' | ')} |`);
  console.log(cells.filter(Boolean).join(', '));
}

/** Processor time of a process so far, in milliseconds. */
async function cpuTime(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function load(site: RunningSite, paths: string[], cookie: string | null): Promise<Result> {
  const headers = { 'accept-encoding': 'gzip', ...(cookie ? { cookie } : {}) };
  const requests = paths.map((path) => ({ method: 'GET' as const, path, headers }));
  const options = { url: site.url.replace('localhost', '127.0.0.1'), connections: CONNECTIONS, requests };
  await autocannon({ ...options, duration: 2 });
  const before = await cpuTime(site.process.pid!);
  const result = await autocannon({ ...options, duration: SECONDS });
  return {
    perSecond: result.requests.average,
    p50: result.latency.p50,
    p97: result.latency.p97_5,
    cpu: ((await cpuTime(site.process.pid!)) - before) / Math.max(1, result.requests.total),
    errors: result.errors + result.non2xx,
  };
}

const port = await freePort();
await buildSite(buildDir, `http://localhost:${port}`, { BENCH_PAGES: '1' });
const dataDir = await temporaryFolder('academy-bench-');
let site: RunningSite | undefined;
try {
  site = await startSite({ buildDir, port, dataDir, env: { SEED_DEMO: 'off' } });
  const { url } = await startEmbeddedPostgres({ dataDir });
  connectDatabase(url, { max: 2 });
  const times = new Map<string, number[]>();
  for (const size of SIZES) {
    const began = performance.now();
    await seedScale(size);
    note(
      size.toLocaleString('en-US'),
      'filling',
      `${((performance.now() - began) / 1000).toFixed(1)} s`,
      '',
      '',
      '',
    );
    const rows = await sqlClient()<{ id: number }[]>`select id from courses order by id limit 200`;
    const reference = await load(site, ['/bench/reference'], 'bench=1');
    const show = (what: string, aim: string, result: Result) =>
      note(
        size.toLocaleString('en-US'),
        what,
        `${result.perSecond.toFixed(0)}/s, p50 ${result.p50} ms, p97.5 ${result.p97} ms, ${result.errors} errors`,
        `${result.cpu.toFixed(2)} ms`,
        `${(result.perSecond / reference.perSecond).toFixed(2)}`,
        aim,
      );
    show('bare Astro page, one page of courses', '', reference);
    for (const [what, aim, paths] of addresses(
      size,
      rows.map(({ id }) => id),
    )) {
      const result = await load(site, paths, 'bench=1');
      show(what, aim, result);
      const name = what.startsWith('page ') ? 'deep page' : what;
      times.set(name, [...(times.get(name) ?? []), 1000 / result.perSecond]);
    }
    show('first page, shared', '', await load(site, ['/courses'], null));
    show('course page, shared', '≥ 900/s', await load(site, [`/courses/${rows[0]!.id}`], null));
  }
  for (const [what, [small, , large]] of times) {
    note('growth', what, `${(large! / small!).toFixed(2)} of the time at 1,000`, '', '', '≤ 2');
  }
  await closeDatabase();
} finally {
  await site?.stop();
  await rm(dataDir, { recursive: true, force: true });
}

console.log(
  `\n${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, ${(totalmem() / 2 ** 30).toFixed(0)} GiB, Node ${process.version}\n`,
);
console.log(
  `| courses | measured | value | site CPU each | of bare Astro | aim |\n|---|---|---|---|---|---|\n${figures.join('\n')}`,
);
