import { rm } from 'node:fs/promises';
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
import { percentile } from './measures.ts';
import { report } from './results.ts';

// The search in what one owns, among 100,000 lessons, by how much of it a learner owns: the page, one request after the
// other. Words are as frequent as in real texts: the n-th is about n^(2/3) times rarer than the first. Prints figures;
// asserts none.
const COURSES = 5000;
const LESSONS = 20;
/** Words of a lesson, and different ones altogether. */
const WORDS = 150;
const VOCABULARY = 8000;
const OWNED = [10, 500, COURSES];
const SAMPLES = Number(process.env.BENCH_SECONDS ?? 4) * 50;
const buildDir = process.env.BUILD_DIR ?? 'dist-bench';

const figures: string[] = [];
/** What is searched for, by how often it is there; numbers of words. */
const SEARCHES: [what: string, of: (turn: number) => string][] = [
  ['a rare word', (turn) => `term${7000 + (turn % 900)}x`],
  ['a frequent word', (turn) => `term${turn % 20}x`],
  ['two frequent words', (turn) => `term${turn % 20}x term${(turn * 7 + 3) % 20}x`],
  ['a frequent beginning', (turn) => `term${1 + (turn % 9)}`],
  ['a word that nothing has', (turn) => `nothing${turn}`],
];

async function fill(sql: postgres.Sql): Promise<void> {
  await sql`set statement_timeout = 0`;
  await sql`
    insert into courses (slug, title, description, price_cents, level, category_id)
    select 'bench-' || n, 'Course ' || n, 'What one learns here.', 4900, 'beginner', 1 from generate_series(1, ${COURSES}::int) n`;
  const word = sql`'term' || floor(${VOCABULARY}::int * power(random(), 3))::int || 'x'`;
  for (let from = 1; from <= COURSES; from += 500) {
    await sql`
      insert into lessons (course_id, title, type, content, "order", opening)
      select c.id, ${word} || ' ' || ${word} || ' ' || n, 'text',
        (select string_agg(${word}, ' ') from generate_series(1, ${WORDS}::int) as w where w + n > 0), n,
        case when n % 5 = 0 then '{"afterDays": 3}'::jsonb else '{}'::jsonb end
      from courses c cross join generate_series(1, ${LESSONS}::int) n
      where c.slug like 'bench-%' and split_part(c.slug, '-', 2)::int between ${from}::int and ${from + 499}::int`;
  }
  for (const owned of OWNED) {
    const [user] = await sql<{ id: number }[]>`
      insert into users (username, email, role) values ('Learner', ${`bench-${owned}@example.com`}, 'student') returning id`;
    await sql`
      insert into enrollments (user_id, course_id)
      select ${user!.id}, id from courses where slug like 'bench-%' order by md5(slug) limit ${owned}`;
    await sql`
      insert into lesson_progress (user_id, lesson_id, course_id, notes)
      select ${user!.id}, l.id, l.course_id, ${word} || ' ' || ${word} || ' ' || ${word}
      from lessons l join enrollments e on e.course_id = l.course_id and e.user_id = ${user!.id}
      where l."order" = 1`;
  }
  await sql`vacuum analyze`;
}

const port = await freePort();
await buildSite(buildDir, { BENCH_PAGES: '1' });
const dataDir = await temporaryFolder('academy-bench-');
let site: RunningSite | undefined;
try {
  site = await startSite({ buildDir, port, dataDir, env: { SEED_DEMO: 'off' } });
  const url = await databaseOf(dataDir);
  connectDatabase(url, { max: 2 });
  await makeCategories();
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  await fill(sql);
  for (const owned of OWNED) {
    const [user] = await sql<
      { id: number }[]
    >`select id from users where email = ${`bench-${owned}@example.com`}`;
    const { cookieSecret } = await openSession(user!.id, 'bench');
    const headers = { cookie: `${SESSION_COOKIE}=${cookieSecret}` };
    for (const [what, of] of SEARCHES) {
      const times: number[] = [];
      let failures = 0;
      let empty = 0;
      for (let turn = -20; turn < SAMPLES; turn += 1) {
        const started = performance.now();
        const answer = await fetch(
          `http://127.0.0.1:${port}/my-courses/search?search=${encodeURIComponent(of(Math.abs(turn)))}`,
          { headers },
        );
        const page = await answer.text();
        if (turn < 0) continue;
        times.push(performance.now() - started);
        if (!answer.ok) failures += 1;
        if (page.includes('Nothing on')) empty += 1;
      }
      const owns = `${(owned * LESSONS).toLocaleString('en-US')} lessons`;
      const value = `p50 ${percentile(times, 0.5).toFixed(1)} ms, p95 ${percentile(times, 0.95).toFixed(1)} ms, ${empty} of ${times.length} without a result, ${failures} failures`;
      figures.push(`| ${owns} | ${what} | ${value} | p95 ≤ 30 ms |`);
      console.log(owns, what, value);
    }
  }
  await sql.end();
  await closeDatabase();
} finally {
  await site?.stop();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
}

await report('owned-search', `| owned | searched | value | aim |\n|---|---|---|---|\n${figures.join('\n')}`);
