import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { closeDatabase, connectDatabase } from '#db/client.ts';
import { makeAdmin, makeCourse } from '../support/factories.ts';
import { openSession } from '#src/features/account/session.server.ts';
import {
  buildSite,
  databaseOf,
  freePort,
  type RunningSite,
  startSite,
  temporaryFolder,
} from '../support/site.ts';
import { report } from './results.ts';

// How long the publish check takes for courses of twenty lessons, made of the demo catalogue's coding lessons: one of all
// languages, and one of each. Prints figures; asserts none.
const LESSONS = 20;
const AIM_SECONDS = 60;
const WAIT_SECONDS = 200;
const LANGUAGES = ['javascript', 'python', 'html', 'css', 'react'] as const;
const buildDir = process.env.BUILD_DIR ?? 'dist-bench';

const port = await freePort();
if (!process.env.BENCH_BUILT) await buildSite(buildDir, { BENCH_PAGES: '1' });
const dataDir = await temporaryFolder('academy-bench-');
const lines: string[] = [];
let site: RunningSite | undefined;
try {
  site = await startSite({ buildDir, port, dataDir });
  const url = await databaseOf(dataDir);
  connectDatabase(url, { max: 2 });
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  const { token } = await openSession((await makeAdmin()).id, 'bench');
  const headers = { authorization: `Bearer ${token}` };
  for (const languages of [LANGUAGES, ...LANGUAGES.map((language) => [language])]) {
    const course = await makeCourse();
    await sql`
      insert into lessons (course_id, title, type, "order", content, instructions, coding_language, starter_code, solution,
        expected_output, test_cases, hints, difficulty, points)
      select ${course.id}, title || ' ' || place, type, place, content, instructions, coding_language, starter_code, solution,
        expected_output, test_cases, hints, difficulty, points
      from (
        select l.*, row_number() over (order by again, turn, l.coding_language)::int as place from (
          select *, row_number() over (partition by coding_language order by id) as turn from lessons
          where type = 'interactive_coding' and course_id <> ${course.id} and coding_language::text in ${sql([...languages])}
            and course_id not in (select id from courses where title like 'Course %')
        ) l cross join generate_series(1, 3) again
      ) chosen where place <= ${LESSONS}`;
    const path = `http://127.0.0.1:${port}/api/admin/courses/${course.id}/publish-check`;
    const begun = performance.now();
    const started = await fetch(path, { method: 'POST', headers });
    if (started.status !== 202)
      throw new Error(`The publish check answered ${started.status}: ${await started.text()}`);
    let run: { run: { status: string }; lessons: { facts?: { mutations?: number } }[] };
    do {
      await sleep(250);
      run = await (await fetch(path, { headers })).json();
    } while (run.run.status !== 'finished' && performance.now() - begun < WAIT_SECONDS * 1000);
    const seconds = (performance.now() - begun) / 1000;
    const [tried] = await sql<{ lessons: number; runs: number; mutations: number }[]>`
      select count(*)::int as lessons, sum((facts ->> 'runs')::int)::int as runs, sum((facts ->> 'mutations')::int)::int as mutations
      from publish_checks c join lessons l on l.id = c.lesson_id where l.course_id = ${course.id}`;
    const line = `| ${languages.length > 1 ? 'all languages' : languages[0]} | ${tried!.lessons} | ${tried!.runs} | ${tried!.mutations} | ${seconds.toFixed(1)} s | ${seconds <= AIM_SECONDS ? 'yes' : 'MISSED'} |`;
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
  'publish-check',
  `| publish check | lessons | runs of the judge | mutations | took | within ${AIM_SECONDS} s |\n|---|---|---|---|---|---|\n${lines.join('\n')}`,
);
