import { rm } from 'node:fs/promises';
import { sql } from 'drizzle-orm';
import { closeDatabase, connectDatabase, db } from '#db/client.ts';
import { startEmbeddedPostgres } from '#db/embedded.ts';
import { makeCourse, makeLesson, makeUser } from '../support/factories.ts';
import { migrateDatabase } from '#db/migrate.ts';
import type { TestCase } from '#db/schema/catalogue.ts';
import { codeSubmissions } from '#db/schema/practice.ts';
import { mutationsOf } from '#src/features/authoring/publishing/mutations.ts';
import { readDemoCourses } from '#src/features/authoring/transfer/demo-courses.server.ts';
import { groupSubmission } from '#src/features/practice/groups/groups.server.ts';
import { findLessonGroups, stuckLessons } from '#src/features/practice/groups/stuck.server.ts';
import { asShown } from '#src/features/practice/run-code.server.ts';
import type { CodingLanguage } from '#src/features/lessons/types/coding/languages.ts';
import { Supervisor } from '#src/judge/supervisor.ts';
import { temporaryFolder } from '../support/site.ts';
import { percentile } from './measures.ts';
import { report } from './results.ts';

// How well wrong programs are grouped, and how fast. Learners are made up: each mutation of a demo lesson's solution is a
// mistake with its label, made by many or few (the first ones by most), each of them in a program of other names, comments
// and layout. Prints figures; asserts none.
const MOST = 8;
const SUBMISSIONS = 100_000;
const HEAT_MAPS = 15;

interface Failure {
  submissionId: number;
  label: string;
}

/** The same program as another learner would have it. */
function restyled(language: CodingLanguage, code: string, learner: number): string {
  if (learner === 0) return code;
  if (language === 'html') return `<!-- ${learner} -->\n${code.replaceAll('><', '>\n  <')}`;
  if (language === 'css') return `/* ${learner} */\n${code.replaceAll('{', ' {\n').replaceAll(';', ' ;\n')}`;
  const declared =
    language === 'python'
      ? /^\s+(\w+) = |\bfor (\w+) in\b/gm
      : /\b(?:const|let|var) (\w+)\b(?! = (?:\(|function|async))/g;
  const names = new Set([...code.matchAll(declared)].map(([, a, b]) => a ?? b!));
  let other = code;
  for (const name of names) {
    other = other.replace(new RegExp(`(?<![.\\w$'"\`])${name}\\b(?!\\s*[:'"])`, 'g'), `${name}_${learner}`);
  }
  return language === 'python' ? `# ${learner}\n\n${other}\n` : `// ${learner}\n\n${other}\n`;
}

const share = (part: number, whole: number) =>
  `${(part / whole).toFixed(3)} of ${whole.toLocaleString('en-US')}`;
const figures: string[][] = [];
const note = (what: string, value: string, aim = '') => {
  figures.push([what, value, '', aim]);
  console.log(`${what}: ${value} ${aim && `aim ${aim}`}`);
};

const dataDir = await temporaryFolder('academy-bench-');
const judge = new Supervisor({ children: { web: 1, python: 1 } });
const postgres = await startEmbeddedPostgres({ dataDir });
try {
  await migrateDatabase(postgres.url);
  connectDatabase(postgres.url, { max: 4 });
  const course = await makeCourse();
  const took: number[] = [];
  let [failures, inLargest, labelled, pure] = [0, 0, 0, 0];
  const lessons = (await readDemoCourses())
    .flatMap(({ content }) => content)
    .filter((lesson) => lesson.type === 'interactive_coding');
  for (const demo of lessons) {
    const { language, solution } = demo;
    const starter = demo.starterCode ?? '';
    const testCases = demo.tests as TestCase[];
    const fixture = language === 'css' ? (demo.content ?? '') : '';
    const lesson = await makeLesson(course.id, {
      ...{ type: 'interactive_coding', codingLanguage: language, solution, starterCode: starter },
      ...{ testCases, expectedOutput: demo.expectedOutput, content: fixture },
    });
    const found: Failure[] = [];
    for (const [index, { code, line, mutated }] of (
      await mutationsOf(language, solution, starter)
    ).entries()) {
      for (let learner = 0; learner < Math.ceil(MOST / (index + 1)); learner += 1) {
        const program = restyled(language, code, learner);
        const verdict = await judge.judge({
          ...{ language, code: program, tests: testCases, expectedOutput: demo.expectedOutput },
          ...(fixture ? { fixture } : {}),
        });
        if (verdict.kind === 'pass') continue;
        const shown = asShown({ testCases, expectedOutput: demo.expectedOutput ?? '' }, verdict);
        const user = await makeUser();
        const [row] = await db()
          .insert(codeSubmissions)
          .values({
            ...{ userId: user.id, lessonId: lesson.id, language, submittedCode: program, attempts: 1 },
            ...{ isCorrect: false, verdict: verdict.kind, results: shown.tests },
          })
          .returning({ id: codeSubmissions.id });
        const began = performance.now();
        await groupSubmission(row!.id);
        took.push(performance.now() - began);
        found.push({ submissionId: row!.id, label: `${line} ${mutated}` });
      }
    }
    const rows = await db().execute<{ id: number; group: number }>(
      sql`select id, mistake_group_id as group from code_submissions where lesson_id = ${lesson.id}`,
    );
    const groupOf = new Map(rows.map(({ id, group }) => [id, group]));
    const largest = new Set((await findLessonGroups(course.id, lesson.id))!.groups.map(({ id }) => id));
    failures += found.length;
    inLargest += found.filter(({ submissionId }) => largest.has(groupOf.get(submissionId)!)).length;
    // Of each group, those with the label that most of it have.
    for (const group of Map.groupBy(found, ({ submissionId }) => groupOf.get(submissionId)).values()) {
      const labels = Map.groupBy(group, ({ label }) => label);
      labelled += group.length;
      pure += Math.max(...[...labels.values()].map((same) => same.length));
    }
  }
  note(
    `failures in the ten largest groups of ${lessons.length} lessons`,
    share(inLargest, failures),
    '≥ 0.8',
  );
  note(`failures that are of their group’s mistake`, share(pure, labelled), '≥ 0.95');
  note(
    'grouping of a failure, after its answer',
    `p50 ${percentile(took, 0.5).toFixed(1)} ms, p95 ${percentile(took, 0.95).toFixed(1)} ms`,
    'p95 ≤ 20 ms',
  );

  const large = await makeCourse();
  const made = await Promise.all(
    Array.from({ length: 40 }, () =>
      makeLesson(large.id, { type: 'interactive_coding', codingLanguage: 'javascript' }),
    ),
  );
  const first = (await makeUser()).id;
  for (let n = 1; n < 250; n += 1) await makeUser();
  // In parts: no statement may take as long as the whole would.
  for (let from = 0; from < SUBMISSIONS; from += 5000) {
    await db().execute(sql`
      insert into code_submissions (user_id, lesson_id, language, submitted_code, is_correct, verdict, attempts, submitted_at)
      select ${first} + n % 250, ${Math.min(...made.map(({ id }) => id))} + (n / 250) % 40, 'javascript', repeat('const a = 1;', 60),
        n % 11 = 0, (case when n % 11 = 0 then 'pass' else 'wrong_answer' end), 1 + n / 10000,
        now() - make_interval(secs => (n * 37) % 4000000)
      from generate_series(${from}::int, ${from + 4999}::int) n`);
  }
  await db().execute(sql`vacuum analyze code_submissions`);
  const maps: number[] = [];
  for (let n = 0; n < HEAT_MAPS; n += 1) {
    const began = performance.now();
    await stuckLessons(large.id);
    maps.push(performance.now() - began);
  }
  note(
    `heat map of a course with ${SUBMISSIONS.toLocaleString('en-US')} submissions`,
    `p50 ${percentile(maps, 0.5).toFixed(0)} ms, p95 ${percentile(maps, 0.95).toFixed(0)} ms`,
    'p95 ≤ 300 ms',
  );
} finally {
  judge.stop();
  await closeDatabase(1);
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}
const rows = figures.map((row) => `| ${row.join(' | ')} |`);
await report('groups', ['| measured | value | ratio | aim |', '|---|---|---|---|', ...rows].join('\n'));
