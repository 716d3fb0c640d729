import { rm } from 'node:fs/promises';
import autocannon from 'autocannon';
import postgres from 'postgres';
import { closeDatabase, connectDatabase } from '#db/client.ts';
import { openSession, SESSION_COOKIE } from '#src/features/account/session.server.ts';
import { makeCategories, makeCourse, makeEnrollment, makeLesson, makeUser } from '../support/factories.ts';
import { buildSite, databaseOf, freePort, startSite, temporaryFolder } from '../support/site.ts';
import { eachOf, processorTime } from './measures.ts';
import { report } from './results.ts';

// The site's processor time for one page made anew, as a ratio to a page without data in the same process and run. The
// pages alternate, so that a machine that is slow for a while is slow for all of them. Asserts nothing.
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const CONNECTIONS = 4;
const COURSES = 48;
const OWNED = 5;
const LESSONS = 20;
const LEARNERS = 40;
const buildDir = process.env.BUILD_DIR ?? 'dist-bench';

const port = await freePort();
await buildSite(buildDir);
const dataDir = await temporaryFolder('academy-bench-');
const site = await startSite({ buildDir, port, dataDir, env: { SEED_DEMO: 'off' } });
try {
  const url = await databaseOf(dataDir);
  connectDatabase(url, { max: 4 });
  await makeCategories();
  const courses = [];
  for (let index = 0; index < COURSES; index += 1) {
    courses.push(await makeCourse({ title: `Course ${index} on a subject worth its title` }));
  }
  let coding = 0;
  for (const { id } of courses.slice(0, OWNED)) {
    for (let order = 1; order < LESSONS; order += 1)
      await makeLesson(id, { title: `Lesson ${order}: a step that has a name`, order });
    const lesson = await makeLesson(id, {
      title: 'A program of its own',
      order: LESSONS,
      type: 'interactive_coding',
      codingLanguage: 'javascript',
      starterCode: 'console.log(1);',
      testCases: [{ input: '', expectedOutput: '2' }],
    });
    coding ||= lesson.id;
  }
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  const cookies: string[] = [];
  for (let index = 0; index < LEARNERS; index += 1) {
    const user = await makeUser();
    for (const course of courses.slice(0, OWNED)) await makeEnrollment(user.id, course.id);
    const { cookieSecret } = await openSession(user.id, 'bench');
    cookies.push(`${SESSION_COOKIE}=${cookieSecret}`);
  }
  await sql`
    insert into lesson_progress (user_id, lesson_id, course_id, completed, completed_at)
    select e.user_id, l.id, l.course_id, true, now()
    from enrollments e join lessons l on l.course_id = e.course_id and l."order" <= ${LESSONS / 2}`;
  await sql`analyze`;
  await sql.end();
  await closeDatabase();

  // A cookie of no session keeps a visitor's request out of what visitors share.
  const visitor = ['bench=1'];
  const pages = [
    { what: 'a page without data', path: '/cart', as: visitor, goal: 1 },
    { what: 'course page', path: `/courses/${courses[0]!.id}`, as: visitor, goal: 1.8 },
    { what: 'search', path: '/courses?search=subject', as: visitor, goal: 1.7 },
    { what: '/my-courses', path: '/my-courses', as: cookies, goal: 1.5 },
    { what: '/dashboard', path: '/dashboard', as: cookies, goal: 2 },
    { what: '/lesson', path: `/lesson/${coding}`, as: cookies, goal: 2 },
    { what: '/learn', path: `/learn/${courses[0]!.id}?view=course`, as: cookies, goal: 2.3 },
    { what: 'GET /api/courses', path: '/api/courses?pageSize=48', as: visitor, goal: 1 },
  ].map((page) => ({ ...page, used: 0, answered: 0, late: 0, bytes: 0 }));
  // The first round warms up.
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const page of pages) {
      const before = await processorTime(site.process.pid!);
      const result = await autocannon({
        url: `http://127.0.0.1:${port}`,
        connections: CONNECTIONS,
        duration: 1,
        requests: page.as.map((cookie) => ({
          method: 'GET' as const,
          path: page.path,
          headers: { cookie, 'accept-encoding': 'gzip' },
        })),
      });
      if (result.non2xx > 0) throw new Error(`${page.path}: ${JSON.stringify(result.statusCodeStats)}`);
      if (round === 0) continue;
      page.used += (await processorTime(site.process.pid!)) - before;
      page.answered += result['2xx'];
      page.late = Math.max(page.late, result.latency.p97_5);
      page.bytes = result.throughput.total / result['2xx'];
    }
  }
  const each = pages.map(({ used, answered, path }) => eachOf(used, { '2xx': answered, url: path }));
  const rows = pages.map(({ what, goal, late }, at) => {
    const ratio = each[at]! / each[0]!;
    const row = `| ${what} | ${each[at]!.toFixed(2)} ms | ${late} ms | ${ratio.toFixed(2)} × | ${at ? `≤ ${goal} ×` : ''} |`;
    console.log(row);
    return row;
  });
  await report(
    'pages',
    ['| page made anew | the site’s CPU | p97.5 | value | aim |', '|---|---|---|---|---|', ...rows].join(
      '\n',
    ),
  );
} finally {
  await site.stop();
  await rm(dataDir, { recursive: true, force: true });
}
