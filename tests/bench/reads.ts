import { spawn } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import postgres from 'postgres';
import { closeDatabase, connectDatabase } from '#db/client.ts';
import { makeCategories, makeCourse, makeEnrollment, makeLesson, makeUser } from '../support/factories.ts';
import { openSession, SESSION_COOKIE } from '#src/features/account/session.server.ts';
import {
  buildSite,
  databaseOf,
  freePort,
  type RunningSite,
  startSite,
  temporaryFolder,
} from '../support/site.ts';
import { onePageOfCourses } from './one-query.ts';
import { load as measure } from './measures.ts';
import { report } from './results.ts';

// What somebody who is signed in reads, against a bare server, a bare query and a bare page in the same run. Prints
// figures; asserts none.
const SECONDS = Number(process.env.BENCH_SECONDS ?? 2);
const CONNECTIONS = 16;
const VISITORS = 40;
const COURSES = 5;
const LESSONS = 12;
const IN_CART = 3;
const root = resolve(import.meta.dirname, '../..');
const buildDir = process.env.BUILD_DIR ?? 'dist-bench';

const rows: string[] = [];
function note(what: string, value: string, ratios: string, aim = ''): void {
  rows.push(`| ${what} | ${value} | ${ratios} | ${aim} |`);
  console.log(`${what}: ${value} ${ratios && `(${ratios})`} ${aim && `aim ${aim}`}`);
}

type Asked = { path: string; headers?: Record<string, string> };

function load(port: number, asked: Asked[]) {
  const requests = asked.map(({ path, headers }) => ({
    method: 'GET' as const,
    path,
    headers: { 'accept-encoding': 'gzip', ...headers },
  }));
  return measure(site!.process.pid!, { url: `http://127.0.0.1:${port}`, duration: SECONDS, requests });
}

/** Queries a second of one process that does nothing else, as many at once as there are connections to the site. */
async function queriesPerSecond(): Promise<number> {
  const until = performance.now() + SECONDS * 1000;
  let done = 0;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (; performance.now() < until; done += 1) await onePageOfCourses();
    }),
  );
  return done / SECONDS;
}

const port = await freePort();
await buildSite(buildDir, { BENCH_PAGES: '1' });
const dataDir = await temporaryFolder('academy-bench-');
let site: RunningSite | undefined;
try {
  site = await startSite({ buildDir, port, dataDir, env: { SEED_DEMO: 'off' } });
  const url = await databaseOf(dataDir);
  connectDatabase(url, { max: 12 });
  await makeCategories();
  const courses = [];
  for (let index = 0; index < 60; index += 1) {
    const course = await makeCourse({ title: `Course ${index} on a subject worth its title` });
    courses.push(course);
    if (index >= COURSES) continue;
    for (let order = 1; order <= LESSONS; order += 1) {
      await makeLesson(course.id, { title: `Lesson ${order}: a step that has a name`, order });
    }
  }
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  const visitors: Record<'cookie' | 'authorization', string>[] = [];
  for (let index = 0; index < VISITORS; index += 1) {
    const user = await makeUser();
    for (const course of courses.slice(0, COURSES)) await makeEnrollment(user.id, course.id);
    const wanted = courses.slice(COURSES, COURSES + IN_CART).map(({ id }) => id);
    await sql`insert into cart_items (user_id, course_id) select ${user.id}, id from courses where id in ${sql(wanted)}`;
    await sql`
      insert into lesson_progress (user_id, lesson_id, course_id, completed, completed_at)
      select ${user.id}, l.id, l.course_id, true, now() from lessons l where l."order" <= ${LESSONS / 2}`;
    const { token, cookieSecret } = await openSession(user.id, 'bench');
    visitors.push({ authorization: `Bearer ${token}`, cookie: `${SESSION_COOKIE}=${cookieSecret}` });
  }
  await sql`analyze`;
  await sql.end();

  const bytes = join(dataDir, 'answer.json');
  await writeFile(bytes, JSON.stringify({ id: 1, username: 'ada', email: 'ada@example.com' }));
  const barePort = await freePort();
  const bare = spawn(process.execPath, ['tests/bench/bare-http.ts', bytes, String(barePort)], {
    cwd: root,
    stdio: 'inherit',
  });
  await new Promise((done) => setTimeout(done, 500));
  const http = await load(barePort, [{ path: '/' }]);
  bare.kill();
  const queries = await queriesPerSecond();
  const astro = await load(port, [{ path: '/bench/reference' }]);
  note('bare node:http', `${http.rps.toFixed(0)}/s`, '');
  note('bare query of a page of courses, without HTTP', `${queries.toFixed(0)}/s`, '');
  note(
    'bare Astro page with that query',
    `${astro.rps.toFixed(0)}/s, ${astro.cpu.toFixed(2)} ms of the site’s CPU each`,
    '',
  );

  for (const [what, path, by, aim] of [
    ['GET /api/auth/me', '/api/auth/me', 'authorization', '≥ 1,500/s'],
    ['GET /api/cart', '/api/cart', 'authorization', '≥ 1,500/s'],
    ['GET /api/progress', '/api/progress', 'authorization', '≥ 1,500/s'],
    ['GET /api/my-enrollments', '/api/my-enrollments', 'authorization', '≥ 1,500/s'],
    ['/learn page', `/learn/${courses[0]!.id}`, 'cookie', '≤ 4 × bare Astro'],
    ['/checkout page', '/checkout', 'cookie', ''],
    ['/my-courses page', '/my-courses', 'cookie', '≤ 4 × bare Astro'],
    ['/dashboard page', '/dashboard', 'cookie', '≤ 5 × bare Astro'],
  ] as const) {
    const { rps, p97, errors, cpu } = await load(
      port,
      visitors.map((visitor) => ({ path, headers: { [by]: visitor[by] } })),
    );
    const ratios = [
      `${(rps / http.rps).toFixed(3)} of bare http`,
      `${(rps / queries).toFixed(2)} of a query`,
      `${(cpu / astro.cpu).toFixed(2)} × bare Astro by CPU`,
    ];
    note(what, `${rps.toFixed(0)}/s, p97.5 ${p97} ms, ${errors} errors`, ratios.join(', '), aim);
  }
  await closeDatabase();
} finally {
  await site?.stop();
  await rm(dataDir, { recursive: true, force: true });
}

await report('reads', `| measured | value | ratios | aim |\n|---|---|---|---|\n${rows.join('\n')}`);
