import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseTable, type Table } from '#src/judge/comparing/tables.ts';
import { isOrdered } from '#src/judge/languages/sql/input.ts';
import { tokensOf } from '#src/judge/languages/sql/statements.ts';
import type { JudgeTest, TestResult } from '#src/judge/protocol.ts';
import { PatientJudge } from '../controls.ts';
import { type RealDatabase, type RealResult, startRealPostgres } from './real-postgres.ts';

/**
 * Records of sqllogictest (github.com/gregrahn/sqllogictest, its *.test files) in the judge:
 * `SQLLOGICTEST=folder npx node tests/judge/public/sqllogictest.ts [queries, 5000] [of each file, 120]`.
 *
 * It proves that the judge gives what PostgreSQL gives. The folders of the files are gone through in turns, the files of each by
 * their names; of a file its first queries are taken, with all statements before them, until there are enough queries in
 * all. A real PostgreSQL runs the same records. The statements that it took make a lesson's tables, and each query is a
 * test of that lesson whose expected rows are the server's; what the server refuses has to be refused for the same reason.
 * The text that the judge gives has to be the server's to the letter, types included (rows without an ORDER BY in any order).
 * Last, it is compared with the result that the file names: what differs there differs between databases.
 */

interface Query {
  sql: string;
  types: string;
  sort: string;
  /** The lines below `----`. */
  wanted: string[];
}
type SltRecord = { statement: string; isOk: boolean } | Query;

/** The records of a file that are meant for PostgreSQL. */
function recordsIn(text: string): SltRecord[] {
  const records: SltRecord[] = [];
  for (const block of text.replaceAll('\r\n', '\n').split(/\n\s*\n/)) {
    const lines = block.split('\n').filter((line) => !line.startsWith('#') && line.trim() !== '');
    let isMeant = true;
    while (/^(?:onlyif|skipif)\s/.test(lines[0] ?? '')) {
      const [word, engine = ''] = lines.shift()!.trim().split(/\s+/);
      if ((engine === 'postgresql') === (word === 'skipif')) isMeant = false;
    }
    const [kind, what = '', sort = 'nosort'] = (lines.shift() ?? '').trim().split(/\s+/);
    if (!isMeant) continue;
    if (kind === 'halt') break;
    if (kind === 'statement') records.push({ statement: lines.join('\n'), isOk: what === 'ok' });
    if (kind === 'query') {
      const end = lines.indexOf('----');
      const sql = lines.slice(0, end < 0 ? undefined : end).join('\n');
      records.push({ sql, types: what, sort, wanted: end < 0 ? [] : lines.slice(end + 1) });
    }
  }
  return records;
}

/** Values as sqllogictest writes them. */
function written(value: string | null, type: string): string {
  if (value === null) return 'NULL';
  // A client of theirs gets a boolean as a number.
  if (type === 'I' && (value === 't' || value === 'f')) return value === 't' ? '1' : '0';
  if (type === 'I') return String(Math.trunc(Number(value)) || 0);
  if (type === 'R') return Number(value).toFixed(3);
  return value === '' ? '(empty)' : value.replace(/[^ -~]/g, '@');
}

function isAsTheFileSays(table: Table, { types, sort, wanted }: Query): boolean {
  const rows = table.rows.map((row) => row.map((value, at) => written(value, types[at] ?? 'T')));
  const byText = (a: string, b: string) => (a < b ? -1 : Number(a > b));
  if (sort === 'rowsort') rows.sort((a, b) => byText(a.join('\n'), b.join('\n')));
  const values = rows.flat();
  if (sort === 'valuesort') values.sort(byText);
  const hashed = /^(\d+) values hashing to ([0-9a-f]{32})$/.exec(wanted[0] ?? '');
  if (!hashed) return values.join('\n') === wanted.join('\n');
  const hash = createHash('md5')
    .update(values.map((value) => `${value}\n`).join(''))
    .digest('hex');
  return values.length === Number(hashed[1]) && hash === hashed[2];
}

/** One test of a lesson, and what it is compared with. */
interface Asked {
  test: JudgeTest;
  sql: string;
  real: RealResult;
  query: Query | null;
}

const counts = {
  statements: 0,
  queries: 0,
  refused: 0,
  statementsAsFile: 0,
  equal: 0,
  asFile: 0,
  compared: 0,
  submissions: 0,
  beyond: 0,
};
const defects: string[] = [];
const others = new Map<string, number>();
const MAX_TESTS = 100;
const SHOWN_AMONG_OTHERS = 2_000;
/** What the judge takes of a lesson's tables. */
const MAX_FIXTURE = 256 * 1024;

const lines = (text: string, inOrder: boolean) => {
  const [head, ...rows] = text.split('\n');
  return [head, ...(inOrder ? rows : rows.sort())].join('\n');
};

function look(place: string, { sql, real, query }: Asked, seen: TestResult): void {
  const got = seen.got ?? '';
  const isSame = real.refused
    ? got === real.refused
    : lines(got, isOrdered(tokensOf(sql))) === lines(real.text, isOrdered(tokensOf(sql)));
  if (isSame && seen.passed) counts.equal += 1;
  else {
    const said = seen.error?.message ?? got;
    defects.push(
      `${place}: ${seen.kind}\n  ${sql.slice(0, 400)}\n  PostgreSQL: ${(real.refused ?? real.text).slice(0, 300)}\n  judge: ${said.slice(0, 300)}`,
    );
  }
  if (!query) return;
  counts.compared += 1;
  const table = real.refused ? null : parseTable(got);
  if (table && isAsTheFileSays(table, query)) counts.asFile += 1;
  else {
    const why = real.refused ? `PostgreSQL refuses it: ${real.refused}` : 'other rows in PostgreSQL itself';
    others.set(why, (others.get(why) ?? 0) + 1);
  }
}

async function ask(place: string, fixture: string[], asked: Asked[]): Promise<void> {
  // Of a test among others not all that it gave is shown.
  const isLarge = ({ real }: Asked) => real.text.length > SHOWN_AMONG_OTHERS;
  const small = asked.filter((one) => !isLarge(one));
  const parts = asked.filter(isLarge).map((one) => [one]);
  for (let from = 0; from < small.length; from += MAX_TESTS) parts.push(small.slice(from, from + MAX_TESTS));
  for (const part of parts) {
    const verdict = await judge.judge(
      {
        language: 'sql',
        code: 'SELECT 1 AS one',
        fixture: fixture.map((statement) => `${statement};`).join('\n'),
        tests: part.map(({ test }) => test),
      },
      // A hundred tests of one submission are more than lessons have.
      { testMs: 20_000, totalMs: 120_000 },
    );
    counts.submissions += 1;
    for (const [at, one] of part.entries()) look(place, one, verdict.tests[at]!);
  }
}

/** Runs a file's first queries; gives how many these were. */
async function runFile(
  place: string,
  records: SltRecord[],
  most: number,
  database: RealDatabase,
): Promise<number> {
  const fixture: string[] = [];
  let size = 0;
  let asked: Asked[] = [];
  let queries = 0;
  const flush = async () => {
    await ask(place, fixture, asked);
    asked = [];
  };
  for (const record of records) {
    if (queries >= most) break;
    const isQuery = 'sql' in record;
    const sql = isQuery ? record.sql : record.statement;
    const real = await database.run(sql);
    if (isQuery) queries += 1;
    counts[isQuery ? 'queries' : 'statements'] += 1;
    if (!isQuery && record.isOk === !real.refused) counts.statementsAsFile += 1;
    if (real.refused) {
      counts.refused += 1;
      asked.push({
        test: { input: `refused: ${sql}`, expectedOutput: real.refused },
        sql,
        real,
        query: isQuery ? record : null,
      });
    } else if (isQuery) {
      asked.push({ test: { input: sql, expectedOutput: real.text }, sql, real, query: record });
    } else {
      // The tables are other ones from here on.
      await flush();
      size += sql.length + 2;
      if (size > MAX_FIXTURE) {
        counts.beyond += 1;
        counts.statements -= 1;
        counts.statementsAsFile -= 1;
        break;
      }
      fixture.push(sql);
      // A lesson whose tables are not made has no test that passes.
      counts.equal += 1;
    }
  }
  // The last statements are looked at too.
  if (asked.length === 0) asked.push(await lastLook(database));
  await flush();
  return queries;
}

async function lastLook(database: RealDatabase): Promise<Asked> {
  const sql = 'SELECT 1 AS one';
  const real = await database.run(sql);
  counts.queries += 1;
  return { test: { input: sql, expectedOutput: real.text }, sql, real, query: null };
}

/** The files of all folders, one of each folder by turns. */
async function filesIn(folder: string): Promise<string[]> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.test'));
  const byFolder = Object.groupBy(
    names.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })),
    (name) => dirname(name),
  );
  const lists = Object.keys(byFolder)
    .sort()
    .map((name) => byFolder[name]!);
  const longest = Math.max(...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list[at] ?? [])).flat();
}

const folder = process.env.SQLLOGICTEST;
if (!folder) throw new Error('SQLLOGICTEST names no folder');
const [wanted = 5_000, ofEach = 120] = process.argv.slice(2).map(Number);
const files = await filesIn(folder);
const server = await startRealPostgres();
const judge = new PatientJudge({ children: { sql: 1 } });
try {
  let queries = 0;
  let taken = 0;
  for (const file of files) {
    if (queries >= wanted) break;
    const database = await server.database();
    try {
      queries += await runFile(file, recordsIn(await readFile(join(folder, file), 'utf8')), ofEach, database);
      taken += 1;
    } finally {
      await database.drop();
    }
  }
  const records = counts.statements + counts.queries;
  console.log(`${taken} files, ${counts.submissions} submissions`);
  console.log(
    `records: ${records} (${counts.statements} statements, ${counts.queries} queries; PostgreSQL refuses ${counts.refused})`,
  );
  console.log(`as PostgreSQL: ${counts.equal} of ${records}`);
  console.log(`statements as the file says: ${counts.statementsAsFile} of ${counts.statements}`);
  console.log(`queries as the file says: ${counts.asFile} of ${counts.compared}`);
  for (const [why, often] of others) console.log(`  ${often}: ${why}`);
  if (counts.beyond > 0)
    console.log(`files cut where their tables are more than the judge takes: ${counts.beyond}`);
  for (const line of defects.slice(0, 40)) console.log(`- ${line}`);
  if (defects.length > 0) process.exitCode = 1;
} finally {
  judge.stop();
  await server.stop();
}
