import { readdir, readFile, rm } from 'node:fs/promises';
import postgres from 'postgres';
import { closeDatabase, connectDatabase } from '#db/client.ts';
import { makeCategories } from '../support/factories.ts';
import { openSession, SESSION_COOKIE } from '#src/features/account/session.server.ts';
import {
  buildSite,
  databaseOf,
  freePort,
  type RunningSite,
  startSite,
  temporaryFolder,
} from '../support/site.ts';
import { load, percentile, TICK_MS } from './measures.ts';
import { report } from './results.ts';

// Learning at two sizes: what a page costs, and whether it stays so when there is a hundred times as much. Prints
// figures; asserts none.
const SECONDS = Number(process.env.BENCH_SECONDS ?? 3);
const COURSES = 100;
const LESSONS = 20;
/** Courses of each learner, and lessons done in each. */
const OWNED = 10;
const DONE = 10;
/** 1,000 and 100,000 enrollments; 10,000 and 1,000,000 rows of progress. */
const SIZES = [100, 10_000];
const VISITORS = 40;
/** Completions of each kind. */
const COMPLETIONS = 130;
const COMPLETIONS_AT_ONCE = [1, 4, 8];
const buildDir = process.env.BUILD_DIR ?? 'dist-bench';

interface Visitor {
  user_id: number;
  course_id: number;
  lesson_id: number;
  token: string;
  cookie: string;
}

const figures: string[] = [];
function note(what: string, value: string, aim = '', ratio = ''): void {
  figures.push(`| ${what} | ${value} | ${ratio} | ${aim} |`);
  console.log(`${what}: ${value} ${ratio} ${aim && `(aim ${aim})`}`);
}

/** The process that the database's backends descend from. */
let postmaster: number | null = null;

/**
 * CPU time in milliseconds that the site and its database have used. On a machine that is busy with other things it
 * says more than the clock.
 */
async function cpuTime(sitePid: number): Promise<number> {
  let ticks = 0;
  for (const pid of await readdir('/proc').catch(() => [])) {
    const stat = /^\d+$/.test(pid) ? await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '') : '';
    const [, id, name, rest] = /^(\d+) \((.*)\) (.*)$/s.exec(stat) ?? [];
    if (!id || !rest) continue;
    const fields = rest.split(' ');
    const isBackend = name === 'postgres' && postmaster !== null && Number(fields[1]) === postmaster;
    if (Number(id) === sitePid || isBackend) ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks * TICK_MS;
}

async function postmasterOf(url: string): Promise<number | null> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const stat = await readFile(`/proc/${row!.pid}/stat`, 'latin1').catch(() => '');
  await sql.end();
  const parent = /\) \S (\d+) /.exec(stat)?.[1];
  return parent ? Number(parent) : null;
}

/** Makes learners up to `count`, each in ten courses with half of the lessons done. */
async function fill(sql: postgres.Sql, from: number, count: number): Promise<void> {
  await sql`
    insert into users (username, email, role)
    select 'Learner ' || n, 'bench-' || n || '@example.com', 'student' from generate_series(${from + 1}::int, ${count}::int) n`;
  await sql`
    insert into enrollments (user_id, course_id, progress, last_accessed_at)
    select u.id, c.id, 50, now() - interval '1 day'
    from (select id, split_part(split_part(email, '-', 2), '@', 1)::int as n from users where email like 'bench-%') u
    cross join generate_series(0, ${OWNED - 1}::int) k
    join (select id, row_number() over (order by id) - 1 as place from courses where slug like 'bench-%') c
      on c.place = (u.n * 7 + k * 11) % ${COURSES}
    where u.n > ${from}`;
  await sql`
    insert into lesson_progress (user_id, lesson_id, course_id, completed, completed_at)
    select e.user_id, l.id, e.course_id, true, now()
    from enrollments e
    join users u on u.id = e.user_id and u.email like 'bench-%'
    join lessons l on l.course_id = e.course_id and l."order" <= ${DONE}
    where split_part(split_part(u.email, '-', 2), '@', 1)::int > ${from}`;
  await sql`
    insert into points_ledger (user_id, lesson_id, course_id, points)
    select user_id, lesson_id, course_id, 5 from lesson_progress p
    join users u on u.id = p.user_id and u.email like 'bench-%'
    where split_part(split_part(u.email, '-', 2), '@', 1)::int > ${from}`;
  await sql`
    insert into study_days (user_id, day, seconds, lessons_completed)
    select u.id, current_date - d, 600, 1 from users u cross join generate_series(0, 20) d
    where u.email like 'bench-%' and split_part(split_part(u.email, '-', 2), '@', 1)::int > ${from}`;
  await sql`analyze`;
}

const port = await freePort();
await buildSite(buildDir, { BENCH_PAGES: '1' });
const dataDir = await temporaryFolder('academy-bench-');
let site: RunningSite | undefined;
try {
  site = await startSite({ buildDir, port, dataDir, env: { SEED_DEMO: 'off' } });
  const sitePid = site.process.pid!;
  const url = await databaseOf(dataDir);
  connectDatabase(url, { max: 4 });
  await makeCategories();
  postmaster = await postmasterOf(url);
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  await sql`
    insert into courses (slug, title, description, price_cents, level, category_id)
    select 'bench-' || n, 'Course ' || n || ' on a subject worth its title', 'What one learns here.', 4900, 'beginner', 1
    from generate_series(1, ${COURSES}::int) n`;
  await sql`
    insert into lessons (course_id, title, section, type, content, duration, "order", points)
    select c.id, 'Lesson ' || n || ': a step that has a name', 'Part ' || (n - 1) / 5 + 1, 'text',
      repeat(E'A paragraph of text that says something.\n\n', 40) || E'\`\`\`js\nconst a = 1;\n\`\`\`', '15 min', n, 5
    from courses c cross join generate_series(1, ${LESSONS}::int) n where c.slug like 'bench-%'`;

  const reference = await load(sitePid, {
    url: `http://127.0.0.1:${port}/bench/reference`,
    duration: SECONDS,
  });
  note(
    'bare Astro page with one query',
    `${reference.rps.toFixed(0)}/s, ${reference.cpu.toFixed(2)} ms of the site's CPU each`,
  );
  const costs = new Map<string, number[]>();
  let made = 0;
  for (const size of SIZES) {
    await fill(sql, made, size);
    made = size;
    const [rows] = await sql<{ enrollments: number; progress: number }[]>`
      select (select count(*) from enrollments)::int as enrollments, (select count(*) from lesson_progress)::int as progress`;
    console.log(`\n${rows!.enrollments} enrollments, ${rows!.progress} rows of progress`);

    const learners = await sql<{ user_id: number; course_id: number; lesson_id: number }[]>`
      select distinct on (e.user_id) e.user_id, e.course_id, l.id as lesson_id
      from enrollments e
      join users u on u.id = e.user_id and u.email like 'bench-%'
      join lessons l on l.course_id = e.course_id and l."order" = ${DONE + 1}
      order by e.user_id desc, e.course_id limit ${VISITORS}`;
    const visitors: Visitor[] = [];
    for (const learner of learners) {
      const { token, cookieSecret } = await openSession(learner.user_id, 'bench');
      visitors.push({ ...learner, token, cookie: `${SESSION_COOKIE}=${cookieSecret}` });
    }

    const pages: [string, string, (visitor: Visitor) => string][] = [
      [
        '/learn page',
        '≤ 4 × bare Astro',
        ({ course_id, lesson_id }) => `/learn/${course_id}?lesson=${lesson_id}`,
      ],
      ['/my-courses', '≤ 4 × bare Astro', () => '/my-courses'],
      ['/dashboard', '≤ 5 × bare Astro', () => '/dashboard'],
      ['GET /api/progress', '', () => '/api/progress'],
      ['GET /api/my-enrollments', '', () => '/api/my-enrollments'],
    ];
    for (const [what, aim, address] of pages) {
      const requests = visitors.map((visitor) => ({
        method: 'GET' as const,
        path: address(visitor),
        headers: { cookie: visitor.cookie, 'accept-encoding': 'gzip' },
      }));
      const options = { url: `http://127.0.0.1:${port}`, duration: SECONDS, requests };
      const { cpu, all, ...result } = await load(sitePid, options, () => cpuTime(sitePid));
      costs.set(what, [...(costs.get(what) ?? []), all]);
      note(
        `${what}, ${size.toLocaleString('en-US')} learners`,
        `${result.rps.toFixed(0)}/s, p50 ${result.p50} ms, p97.5 ${result.p97} ms, ${all.toFixed(2)} ms CPU each, ${result.errors} errors`,
        aim,
        `site alone ${cpu.toFixed(2)} ms, ${(cpu / reference.cpu).toFixed(2)} × bare Astro by CPU`,
      );
    }

    const work: [Visitor, number][] = [];
    for (const visitor of visitors) {
      const lessons = await sql<{ id: number }[]>`
        select id from lessons where course_id = ${visitor.course_id} and "order" > ${DONE} order by "order"`;
      work.push(...lessons.map(({ id }): [Visitor, number] => [visitor, id]));
    }
    // Learners take turns, as they would.
    work.sort((a, b) => a[1] - b[1]);
    for (const atOnce of COMPLETIONS_AT_ONCE) {
      const times: number[] = [];
      let failures = 0;
      const queue = work.splice(0, COMPLETIONS);
      await Promise.all(
        Array.from({ length: atOnce }, async () => {
          for (let job = queue.shift(); job; job = queue.shift()) {
            const [visitor, lessonId] = job;
            const started = performance.now();
            const answer = await fetch(
              `http://127.0.0.1:${port}/api/courses/${visitor.course_id}/content/${lessonId}/complete`,
              { method: 'POST', headers: { authorization: `Bearer ${visitor.token}` } },
            );
            await answer.arrayBuffer();
            times.push(performance.now() - started);
            if (!answer.ok) failures += 1;
          }
        }),
      );
      note(
        `completion, ${atOnce} at once, ${size.toLocaleString('en-US')} learners`,
        `p50 ${percentile(times, 0.5).toFixed(1)} ms, p95 ${percentile(times, 0.95).toFixed(1)} ms of ${times.length}, ${failures} failures`,
        'p95 ≤ 40 ms',
      );
    }
  }
  for (const [what, [small, large]] of costs) {
    note(`${what}: with 100 times the rows`, `${(large! / small!).toFixed(2)} of the CPU time`, '≤ 2');
  }
  await sql.end();
  await closeDatabase();
} finally {
  await site?.stop();
  await rm(dataDir, { recursive: true, force: true });
}

await report('learn', `| measured | value | ratio | aim |\n|---|---|---|---|\n${figures.join('\n')}`);
