import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JudgeTest } from '#src/judge/protocol.ts';
import { statementsOf } from '#src/judge/languages/sql/statements.ts';
import { PatientJudge } from '../controls.ts';
import { startRealPostgres } from './real-postgres.ts';

/**
 * The published questions of PostgreSQL Exercises (github.com/AlisdairO/pgexercises) as lessons of the product:
 * `PGEXERCISES=folder npx node tests/judge/public/pgexercises.ts`, with a clone of that repository.
 *
 * Its tables are each lesson's fixture. The published answer is run by a real PostgreSQL, whose rows are what the test asks
 * for, with their types, and in their order where the question says that it counts. It proves that the judge passes each
 * published answer, and that it does not pass the answer of another question.
 */

interface Question {
  name: string;
  answer: string;
  isSorted: boolean;
  /** The table that the question changes; null for one that asks for rows. */
  table: string | null;
}

async function questionsIn(folder: string): Promise<Question[]> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.ex')).sort();
  return Promise.all(
    files.map(async (file) => {
      const parts = (await readFile(join(folder, file), 'utf8')).split(/^\|([A-Z]+)\|\s*$/m);
      const part = (name: string) => parts[parts.indexOf(name) + 1]?.trim() ?? '';
      const isWriting = part('WRITEABLE') === '1';
      return {
        name: file.replace(/^(.*)\/\d+-(.*)\.ex$/, '$1/$2'),
        answer: part('QUERY'),
        isSorted: part('SORTED') === '1',
        table: isWriting ? part('RETURNTABLE') : null,
      };
    }),
  );
}

/** The dump as statements that any client can send: rows that it copies are inserted. */
function fixtureOf(dump: string): string {
  const inserted = dump.replace(
    /^COPY (\w+) \((.*)\) FROM stdin;\n([\s\S]*?)^\\\.$/gm,
    (_, table: string, columns: string, lines: string) => {
      const rows = lines
        .trimEnd()
        .split('\n')
        .map((line) => {
          const values = line
            .split('\t')
            .map((value) => (value === '\\N' ? 'NULL' : `'${value.replaceAll("'", "''")}'`));
          return `(${values.join(',')})`;
        });
      return `INSERT INTO ${table} (${columns}) VALUES\n${rows.join(',\n')};`;
    },
  );
  // What is about the server and its users is no part of the tables.
  const kept = statementsOf(inserted.replace(/^\\c .*$/m, '')).filter(
    ({ text }) =>
      !/^(?:CREATE (?:DATABASE|USER)|ALTER (?:USER|DATABASE)|GRANT|REVOKE|SET default_with_oids)\b/i.test(
        text,
      ),
  );
  return `${kept.map(({ text }) => text).join(';\n')};\nSET search_path = public, pg_catalog;`;
}

const folder = process.env.PGEXERCISES;
if (!folder) throw new Error('PGEXERCISES names no folder');
const questions = await questionsIn(join(folder, 'questions'));
const fixture = fixtureOf(await readFile(join(folder, 'database/clubdata.sql'), 'utf8'));
const server = await startRealPostgres();
const judge = new PatientJudge({ children: { sql: 1 } });

/** The test of a question: what the published answer gives in a real PostgreSQL. */
async function testOf({ name, answer, isSorted, table }: Question): Promise<JudgeTest> {
  const database = await server.database();
  try {
    for (const { text } of [...statementsOf(fixture), ...statementsOf(answer)].slice(0, -1)) {
      const { refused } = await database.run(text);
      if (refused) throw new Error(`${name}: ${refused}`);
    }
    const last = await database.run(statementsOf(answer).at(-1)!.text);
    const seen = table ? await database.run(`SELECT * FROM ${table}`) : last;
    if (!seen.table) throw new Error(`${name}: ${seen.refused ?? 'no rows'}`);
    const input = table ? `table ${table}` : isSorted ? 'result in order' : 'result';
    return { input, expectedOutput: seen.text };
  } finally {
    await database.drop();
  }
}

try {
  console.log(`${questions.length} questions, ${Buffer.byteLength(fixture)} bytes of tables`);
  const tests = new Map<Question, JudgeTest>();
  for (const question of questions) tests.set(question, await testOf(question));
  const wrong: string[] = [];
  let passed = 0;
  let refused = 0;
  for (const [at, question] of questions.entries()) {
    const test = tests.get(question)!;
    const asked = (code: string) => judge.judge({ language: 'sql', code, fixture, tests: [test] });
    const right = await asked(question.answer);
    if (right.kind === 'pass') passed += 1;
    else
      wrong.push(
        `${question.name}: ${right.kind} ${right.error?.message ?? right.tests[0]?.got?.slice(0, 300)}`,
      );
    // The next question whose answer gives something else: some are asked twice, with two ways to answer them.
    const others = [...questions.slice(at + 1), ...questions.slice(0, at)];
    const other = others.find((one) => {
      const its = tests.get(one)!;
      return its.input !== test.input || its.expectedOutput !== test.expectedOutput;
    })!;
    if ((await asked(other.answer)).kind === 'pass')
      wrong.push(`${question.name}: passed with the answer of ${other.name}`);
    else refused += 1;
  }
  console.log(`passed with the published answer: ${passed} of ${questions.length}`);
  console.log(`not passed with another question's answer: ${refused} of ${questions.length}`);
  for (const line of wrong) console.log(`- ${line}`);
  if (wrong.length > 0) process.exitCode = 1;
} finally {
  judge.stop();
  await server.stop();
}
