import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { closeDatabase, connectDatabase } from '#db/client.ts';
import { makeCategories, makeUser } from '../support/factories.ts';
import { openSession, SESSION_COOKIE } from '#src/features/account/session.server.ts';
import { inviteMember } from '#src/features/organisations/members.server.ts';
import { SEAT_STATES } from '#src/features/organisations/seats/seats.ts';
import { stopJobs } from '#src/server/jobs.ts';
import { setEnvironment } from '#src/server/start/env.ts';
import { ADMIN_PAGE_SIZE } from '#src/shared/list-query.ts';
import {
  buildSite,
  databaseOf,
  freePort,
  type RunningSite,
  startSite,
  temporaryFolder,
} from '../support/site.ts';
import { eachOf, percentile, processorTime, rowOf } from './measures.ts';
import { report } from './results.ts';

// An organisation that has given 10,000 seats, as one of its managers uses it: one request after the other. Prints
// figures; asserts none.
const SEATS = 10_000;
const INVITATIONS = 1000;
const COURSES = 5;
const TIMES = Number(process.env.BENCH_SECONDS ?? 3) * 20;
const WARM_UP = 20;
/** A bare page takes so little that many are needed for its processor time. */
const BARE_TIMES = 600;
const AIM = 'p95 ≤ 120 ms';
const buildDir = process.env.BUILD_DIR ?? 'dist-bench';

const rows: string[] = [];
const note = (...cells: [what: string, value: string, ratio?: string, aim?: string]) =>
  rows.push(rowOf(cells[0], cells[1], cells[2] ?? '', cells[3] ?? ''));
const shown = (times: readonly number[]) =>
  `p50 ${percentile(times, 0.5).toFixed(1)} ms, p95 ${percentile(times, 0.95).toFixed(1)} ms of ${times.length}`;

/** Seats in every state, some of people who have an account, and as many free ones of the first course. */
async function fill(sql: postgres.Sql, organisationId: number): Promise<number[]> {
  await sql`
    insert into courses (slug, title, description, price_cents, level, category_id)
    select 'bench-' || n, 'Course ' || n || ' on a subject worth its title', 'What one learns here.', 4900, 'beginner', 1
    from generate_series(1, ${COURSES}::int) n`;
  await sql`
    insert into orders (organisation_id, buyer_email, total_cents, status, fingerprint, invoice_number, completed_at)
    values (${organisationId}, 'buyer@example.com', 1, 'completed', 'bench', 'INV-2020-000001', now())`;
  await sql`
    insert into order_items (order_id, course_id, price_cents, list_price_cents, title, seats)
    select o.id, c.id, 1, 1, c.title, ${SEATS}::int from orders o cross join courses c where c.slug like 'bench-%'`;
  await sql`
    insert into users (username, email, role, email_verified_at)
    select (array['Ada','Grace','Mary','Alan','Radia'])[1 + n % 5] || ' ' || (array['Lovelace','Hopper','Lee','Kay'])[1 + n % 4],
      'person-' || n || '@example.com', 'student', now()
    from generate_series(1, ${SEATS}::int) n where n % 5 > 0`;
  await sql`
    insert into seats (order_item_id, organisation_id, course_id, email, given_at, user_id, taken_at, ended_at)
    select i.id, ${organisationId}, i.course_id, 'person-' || n || '@example.com', now() - n * interval '3 minutes', u.id,
      case when u.id is not null then now() end, case when n % 10 = 9 then now() end
    from generate_series(1, ${SEATS}::int) n
    join (select *, row_number() over (order by id) - 1 as place from order_items) i on i.place = n / 7 % ${COURSES}
    left join users u on u.email = 'person-' || n || '@example.com'`;
  await sql`
    insert into enrollments (user_id, course_id, order_item_id, progress, last_accessed_at, completed_at)
    select user_id, course_id, order_item_id, (array[0, 40, 100])[1 + id % 3],
      case when id % 3 > 0 then now() end, case when id % 3 = 2 then now() end
    from seats where user_id is not null and ended_at is null`;
  await sql`
    insert into certificates (user_id, course_id, certificate_number, recipient_name, course_title, verification_url)
    select user_id, course_id, 'BENCH-' || id, 'Ada Lovelace', 'Course', 'https://example.com/' || id
    from enrollments where completed_at is not null`;
  await sql`
    insert into seats (order_item_id, organisation_id, course_id)
    select i.id, ${organisationId}, i.course_id
    from (select * from order_items order by id limit 1) i cross join generate_series(1, ${SEATS}::int)`;
  await sql`vacuum analyze`;
  return (await sql<{ id: number }[]>`select id from courses order by id`).map(({ id }) => id);
}

const port = await freePort();
await buildSite(buildDir, { BENCH_PAGES: '1' });
const dataDir = await temporaryFolder('academy-bench-');
let site: RunningSite | undefined;
try {
  site = await startSite({ buildDir, port, dataDir, env: { SEED_DEMO: 'off' } });
  const pid = site.process.pid!;
  const url = await databaseOf(dataDir);
  connectDatabase(url, { max: 2 });
  // The jobs that this process queues are the site's.
  setEnvironment({ DATABASE_URL: url });
  await makeCategories();
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  const [owner, manager] = [await makeUser({ emailVerifiedAt: new Date() }), await makeUser()];
  const [{ id }] = await sql<
    [{ id: number }]
  >`insert into organisations (name) values ('Example Ltd') returning id`;
  await sql`
    insert into organisation_members (organisation_id, user_id, role)
    values (${id}, ${owner.id}, 'owner'), (${id}, ${manager.id}, 'manager')`;
  const courses = await fill(sql, id);
  const { token, cookieSecret } = await openSession(manager.id, 'bench');

  async function ask(path: string, init: RequestInit, times: number) {
    const took: number[] = [];
    let answered = 0;
    let before = 0;
    let text = '';
    for (let time = -WARM_UP; time < times; time += 1) {
      if (time === 0) before = await processorTime(pid);
      const started = performance.now();
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual', ...init });
      text = await answer.text();
      if (time < 0) continue;
      took.push(performance.now() - started);
      if (answer.status === 200) answered += 1;
    }
    const used = (await processorTime(pid)) - before;
    return {
      ...{ text, cpu: eachOf(used, { '2xx': answered, url: path }) },
      value: `${shown(took)}, ${times - answered} errors`,
    };
  }
  const bare = await ask('/bench/reference', {}, BARE_TIMES);
  note('bare Astro page with one query', `${bare.value}, ${bare.cpu.toFixed(2)} ms of the site’s CPU each`);
  const page = async (what: string, query: string, aim = AIM) => {
    const headers = { cookie: `${SESSION_COOKIE}=${cookieSecret}` };
    const { value, cpu, text } = await ask(`/organisations/${id}${query}`, { headers }, TIMES);
    const found = /([\d,]+ seats?) given/.exec(text)?.[1] ?? '';
    note(`${what}${found && `, ${found}`}`, value, `${(cpu / bare.cpu).toFixed(2)} × bare Astro by CPU`, aim);
  };
  await page('first page', '');
  await page('deep page', `?page=${SEATS / ADMIN_PAGE_SIZE - 3}`);
  await page('search of a name', '?search=hopper');
  await page('search of an address', '?search=person-7654');
  await page('search that finds nobody', '?search=zzzzzz');
  await page('one course', `?course=${courses[1]}`);
  for (const [state, { label }] of Object.entries(SEAT_STATES))
    await page(`state “${label}”`, `?state=${state}`);
  await page('search in a course and a state', `?search=lovelace&course=${courses[1]}&state=begun`);
  await page('all people as CSV', '/seats.csv', '');

  const list = (count: number, dryRun: boolean): RequestInit => {
    const people = Array.from({ length: count }, (_, n) => `New Person ${n},new-${n}@example.com`).join('\n');
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    return { method: 'POST', headers, body: JSON.stringify({ courseId: courses[0], people, dryRun }) };
  };
  const seats = `/api/organisations/${id}/seats`;
  const dry = await ask(seats, list(SEATS, true), 20);
  if (!dry.text.includes(`"given":${SEATS},`)) throw new Error(`The dry run said ${dry.text.slice(0, 300)}`);
  const ratio = `${(dry.cpu / bare.cpu).toFixed(0)} × bare Astro by CPU`;
  note('dry run of a list of 10,000 people', dry.value, ratio);

  const began = performance.now();
  const given = await fetch(`http://127.0.0.1:${port}${seats}`, list(INVITATIONS, false));
  if (!given.ok) throw new Error(`Giving seats was answered by ${given.status}: ${await given.text()}`);
  const answered = performance.now() - began;
  const isWaiting = async () =>
    (await sql`select from mail_outbox where template = 'seat-offer' limit ${INVITATIONS}`).length <
    INVITATIONS;
  while (await isWaiting()) {
    if (performance.now() - began > 120_000)
      throw new Error('The offers were not mailed within two minutes.');
    await sleep(50);
  }
  const mailed = ((performance.now() - began) / 1000).toFixed(1);
  note('1,000 seats given by one list', `${answered.toFixed(0)} ms, the last mail written after ${mailed} s`);

  const took: number[] = [];
  for (let n = 0; n < INVITATIONS; n += 1) {
    const started = performance.now();
    const invited = { email: `manager-${n}@example.com`, role: 'manager' } as const;
    await inviteMember({ ...owner, emailVerified: true }, id, invited);
    took.push(performance.now() - started);
  }
  note(
    '1,000 invitations to run it, each by the server’s function: an account may send 20 an hour',
    shown(took),
  );
  await page('first page with 1,000 open invitations', '');
  await stopJobs(1);
  await sql.end();
  await closeDatabase();
} finally {
  await site?.stop();
  await rm(dataDir, { recursive: true, force: true });
}

await report(
  'organisations',
  ['| measured | value | ratio | aim |', '|---|---|---|---|', ...rows].join('\n'),
);
