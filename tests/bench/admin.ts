import { rm } from 'node:fs/promises';
import postgres from 'postgres';
import { closeDatabase, connectDatabase } from '#db/client.ts';
import { makeAdmin, makeCategories } from '../support/factories.ts';
import { openSession, SESSION_COOKIE } from '#src/features/account/session.server.ts';
import { makeManyRows } from '../support/many-rows.ts';
import {
  buildSite,
  databaseOf,
  freePort,
  type RunningSite,
  startSite,
  temporaryFolder,
} from '../support/site.ts';
import { percentile } from './measures.ts';
import { report } from './results.ts';

// The administrators' lists at a hundred thousand users, orders and enrollments, as one administrator gets them: page
// after page, one at a time. Prints figures; asserts none.
const COUNT = Number(process.env.BENCH_ROWS ?? 100_000);
const TIMES = 30;
const AIM_MS = 80;
const buildDir = process.env.BUILD_DIR ?? 'dist-bench';

const PAGES = [
  '/admin',
  '/admin?search=worth',
  '/admin/users',
  '/admin/users?page=4000',
  '/admin/users?sort=name',
  '/admin/users?role=admin',
  '/admin/users?search=lace1234',
  '/admin/users?search=example',
  '/admin/users?search=zzzzzz',
  '/admin/orders',
  '/admin/orders?page=4000',
  '/admin/orders?status=back',
  '/admin/orders?status=paid',
  '/admin/orders?search=lovelace',
  '/admin/orders?search=INV-2020-0012',
  '/admin/audit',
  '/admin/audit?search=hopper+3',
  '/admin/messages',
  '/admin/mail',
  '/admin/grading',
  '/admin/coupons',
  '/admin/analytics',
];

const port = await freePort();
if (!process.env.BENCH_BUILT) await buildSite(buildDir, { BENCH_PAGES: '1' });
const dataDir = await temporaryFolder('academy-bench-');
const lines: string[] = [];
let site: RunningSite | undefined;
try {
  site = await startSite({ buildDir, port, dataDir, env: { SEED_DEMO: 'off' } });
  const url = await databaseOf(dataDir);
  connectDatabase(url, { max: 4 });
  await makeCategories();
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  const begun = performance.now();
  await makeManyRows(sql, COUNT);
  console.log(
    `${COUNT} users, orders and enrollments made in ${((performance.now() - begun) / 1000).toFixed(0)} s`,
  );
  const admin = await makeAdmin();
  const { cookieSecret } = await openSession(admin.id, 'bench');
  const headers = { cookie: `${SESSION_COOKIE}=${cookieSecret}` };
  const [someone] = await sql<{ id: number }[]>`select max(user_id)::int as id from orders`;
  for (const path of [...PAGES, `/admin/users/${someone!.id}`]) {
    const took: number[] = [];
    for (let time = 0; time < TIMES + 3; time += 1) {
      const started = performance.now();
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers, redirect: 'manual' });
      await answer.text();
      if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
      if (time >= 3) took.push(performance.now() - started);
    }
    const p95 = percentile(took, 0.95);
    const line = `| ${path} | ${percentile(took, 0.5).toFixed(0)} ms | ${p95.toFixed(0)} ms | ${p95 <= AIM_MS ? 'yes' : 'MISSED'} |`;
    lines.push(line);
    console.log(line);
  }
  await sql.end();
  await closeDatabase();
} finally {
  await site?.stop();
  await rm(dataDir, { recursive: true, force: true });
}

await report(
  'admin',
  `| page at ${COUNT} rows | median | p95 | within ${AIM_MS} ms |\n|---|---|---|---|\n${lines.join('\n')}`,
);
