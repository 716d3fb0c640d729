import { afterAll, describe, expect, test } from 'vitest';
import { type Case, byEnd, expectTrueVerdicts, PatientJudge, SMALL_LIMITS } from './controls.ts';

const judge = new PatientJudge({ children: { sql: 1 } });
afterAll(() => judge.stop());

/** A statement that PostgreSQL refuses at once. */
const REFUSED = ['runtime_error', 'syntax_error'] as Case[2];
/** One that does not end, or wants more than there is. */
const STOPPED = ['time_limit', 'memory_limit', 'output_limit', 'runtime_error'] as Case[2];
/** One that may come to its end and does no harm. */
const ANY = ['pass', 'wrong_answer', ...STOPPED, 'syntax_error'] as Case[2];
const asOther = (statement: string) => `RESET ROLE; SET SESSION AUTHORIZATION postgres; ${statement}`;

const CASES: Case[] = [
  ['sleeps', 'SELECT pg_sleep(1000)', REFUSED],
  ['sleeps as the owner', asOther('SELECT pg_sleep(1000)'), STOPPED],
  ['sleeps for an interval', "SELECT pg_sleep_for('1 hour')", REFUSED],
  ['counts to the sky', 'SELECT count(*) FROM generate_series(1, 1000000000000)', STOPPED],
  ['rows to the sky', 'SELECT * FROM generate_series(1, 1000000000)', STOPPED],
  [
    'a product of products',
    'SELECT count(*) FROM generate_series(1,100000) a, generate_series(1,100000) b',
    STOPPED,
  ],
  [
    'endless recursion',
    'WITH RECURSIVE r AS (SELECT 1 UNION ALL SELECT 1 FROM r) SELECT count(*) FROM r',
    STOPPED,
  ],
  [
    'a table that doubles',
    'CREATE TABLE t AS SELECT 1 AS a; DO $$ BEGIN LOOP INSERT INTO t SELECT * FROM t; END LOOP; END $$',
    STOPPED,
  ],
  ['an endless loop', 'DO $$ BEGIN LOOP END LOOP; END $$', STOPPED],
  [
    'an endless loop that catches all',
    'DO $$ BEGIN LOOP BEGIN PERFORM 1/0; EXCEPTION WHEN OTHERS THEN NULL; END; END LOOP; END $$',
    STOPPED,
  ],
  [
    'a function that calls itself',
    'CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN f(); END $$; SELECT f()',
    STOPPED,
  ],
  [
    'a function of SQL that calls itself',
    'CREATE FUNCTION g(int) RETURNS int LANGUAGE sql AS $$ SELECT 1 $$; CREATE OR REPLACE FUNCTION g(a int) RETURNS int LANGUAGE sql AS $$ SELECT g(a + 1) $$; SELECT g(1)',
    STOPPED,
  ],
  [
    'a trigger that fires itself',
    'CREATE TABLE t (a int); CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO t VALUES (1); RETURN NEW; END $$; CREATE TRIGGER x AFTER INSERT ON t FOR EACH ROW EXECUTE FUNCTION f(); INSERT INTO t VALUES (1)',
    STOPPED,
  ],
  ['a text of 1 GB', "SELECT repeat('x', 1000000000)", STOPPED],
  ['a text of 200 MB', "SELECT repeat('x', 200000000)", STOPPED],
  ['a text of 20 MB', "SELECT repeat('x', 20000000)", ANY],
  ['many long texts', "SELECT repeat('x', 900000) FROM generate_series(1, 100)", ANY],
  ['a text that doubles', "DO $$ DECLARE s text := 'x'; BEGIN LOOP s := s || s; END LOOP; END $$", STOPPED],
  ['an array of all', 'SELECT array_agg(a) FROM generate_series(1, 100000000) a', STOPPED],
  ['one text of all', "SELECT string_agg(md5(a::text), '') FROM generate_series(1, 100000000) a", STOPPED],
  ['JSON of all', 'SELECT json_agg(a) FROM generate_series(1, 100000000) a', STOPPED],
  ['a sort of all', 'SELECT a FROM generate_series(1, 50000000) a ORDER BY random() LIMIT 1', STOPPED],
  [
    'a table as large as the disk',
    'CREATE TABLE t AS SELECT repeat(md5(a::text), 30) FROM generate_series(1, 10000000) a',
    STOPPED,
  ],
  [
    'an index as large as the disk',
    'CREATE TABLE t AS SELECT md5(a::text) m FROM generate_series(1, 300000) a; CREATE INDEX ON t (m); CREATE INDEX ON t (m); CREATE INDEX ON t (m)',
    ANY,
  ],
  ['a number of many digits', 'SELECT 9 ^ 9 ^ 9 ^ 9', STOPPED],
  ['a numeric of many digits', 'SELECT factorial(100000)', ANY],
  ['a power of numerics', 'SELECT power(99999::numeric, 30000)', ANY],
  [
    'an expression that turns back',
    "SELECT regexp_replace(repeat('a', 30000), '(a+)+$', 'b') || regexp_matches(repeat('a', 40), '(a|a)*b')::text",
    ANY,
  ],
  ['LIKE that turns back', "SELECT repeat('a', 100000) LIKE repeat('%a', 5000) || 'b'", ANY],
  ['deep brackets', `SELECT ${'('.repeat(20_000)}1${')'.repeat(20_000)}`, ANY],
  ['a long chain', `SELECT ${'1 + '.repeat(30_000)}1`, ANY],
  ['many columns', `SELECT ${Array.from({ length: 1_700 }, (_, n) => n).join(', ')}`, ANY],
  ['many statements', 'SELECT 1;'.repeat(20_000), ANY],
  ['a program by COPY', "COPY (SELECT 1) TO PROGRAM 'touch /tmp/x'", REFUSED],
  [
    'a program by COPY, as the owner',
    asOther("DO $$ BEGIN EXECUTE 'COPY (SELECT 1) TO PROGRAM ''id'''; END $$"),
    ANY,
  ],
  [
    'a program read',
    asOther(
      "CREATE TABLE t (a text); DO $$ BEGIN EXECUTE 'COPY t FROM PROGRAM ''cat /etc/passwd'''; END $$; SELECT * FROM t",
    ),
    STOPPED,
  ],
  ['a file by COPY', "COPY customers FROM '/etc/passwd'", REFUSED],
  [
    'a file by COPY, as the owner',
    asOther(
      "CREATE TABLE t (a text); DO $$ BEGIN EXECUTE 'COPY t FROM ''/etc/passwd'''; END $$; SELECT * FROM t",
    ),
    STOPPED,
  ],
  ['a file by a function', "SELECT pg_read_file('/etc/passwd')", REFUSED],
  ['a file by a function, as the owner', asOther("SELECT pg_read_file('/etc/passwd')"), STOPPED],
  ['its own files, as the owner', asOther("SELECT pg_read_file('/proc/self/environ')"), STOPPED],
  ['folders', "SELECT pg_ls_dir('/')", REFUSED],
  ['a large object', "SELECT lo_import('/etc/passwd')", REFUSED],
  ['many large objects', 'SELECT lo_create(0) FROM generate_series(1, 100000000)', STOPPED],
  ['an extension', 'CREATE EXTENSION file_fdw', REFUSED],
  ['an extension, as the owner', asOther('CREATE EXTENSION dblink'), STOPPED],
  ['a library', "LOAD '/tmp/x.so'", REFUSED],
  [
    'a function in C',
    asOther("CREATE FUNCTION c(text) RETURNS int AS 'libc.so.6', 'system' LANGUAGE c; SELECT c('id')"),
    STOPPED,
  ],
  ['becomes the owner', asOther('CREATE ROLE x SUPERUSER; SELECT 1'), ANY],
  [
    'breaks the catalogue',
    asOther('DELETE FROM pg_class; DELETE FROM pg_proc; DELETE FROM pg_type; SELECT 1'),
    ANY,
  ],
  ['another password', "ALTER ROLE postgres PASSWORD 'x'", REFUSED],
  ['a setting of the server', "ALTER SYSTEM SET work_mem = '1GB'", REFUSED],
  [
    'a setting of the role',
    "ALTER ROLE learner SET work_mem = '1GB'; SET work_mem = '1GB'; SELECT count(*) FROM (SELECT DISTINCT md5(a::text) FROM generate_series(1, 5000000) a) x",
    STOPPED,
  ],
  ['ends its session', 'SELECT pg_terminate_backend(pg_backend_pid())', REFUSED],
  ['ends its session, as the owner', asOther('SELECT pg_terminate_backend(pg_backend_pid())'), ANY],
  ['waits for a lock', 'SELECT pg_advisory_lock(1), pg_advisory_lock(1)', ANY],
  ['prepares a transaction', "BEGIN; PREPARE TRANSACTION 'x'", REFUSED],
  ['prepares none', "PREPARE TRANSACTION 'x'", ANY],
  [
    'commits behind a text',
    String.raw`SET standard_conforming_strings = off; SELECT 'a\'; COMMIT; SELECT '`,
    ANY,
  ],
  ['another database', 'CREATE DATABASE other', REFUSED],
  ['drops all', 'DROP SCHEMA public CASCADE; DROP OWNED BY learner CASCADE; SELECT 1', ANY],
  [
    'takes the judge’s name',
    'SAVEPOINT judge_1; RELEASE SAVEPOINT judge_1; ROLLBACK TO SAVEPOINT judge_1',
    REFUSED,
  ],
  ['hears and tells', "LISTEN x; NOTIFY x, 'y'; SELECT 1", ANY],
  [
    'a cursor that stays',
    'DECLARE c CURSOR WITH HOLD FOR SELECT * FROM generate_series(1, 100000000); SELECT 1',
    ANY,
  ],
  ['notices without end', "DO $$ BEGIN LOOP RAISE NOTICE '%', repeat('x', 1000); END LOOP; END $$", STOPPED],
  ['zero bytes', "SELECT E'\\000'", REFUSED],
  ['a name from half a letter', 'SELECT \'\ud800\' AS "\udfff"', ANY],
];

const { stopped, harmless } = byEnd(CASES);

describe.each([
  ['is stopped', stopped],
  ['is harmless', harmless],
])('%s', (_, cases) => {
  test.each(cases)(
    '%s',
    async (_name, code, kinds) => {
      const tests = [
        { input: 'result', expectedOutput: 'x' },
        { input: 'result', expectedOutput: 'x' },
      ];
      const fixture = "CREATE TABLE customers (name text); INSERT INTO customers VALUES ('Ada');";
      const verdict = await judge.judge({ language: 'sql', code, fixture, tests }, SMALL_LIMITS);
      expect(kinds).toContain(verdict.kind);
      expect(JSON.stringify(verdict)).not.toMatch(/root:|PATH=/);
      await expectTrueVerdicts(judge, 'sql');
    },
    120_000,
  );
});

test('no process was lost', async () => {
  const { counters } = await judge.health();
  expect(CASES.length).toBeGreaterThanOrEqual(60);
  expect(counters).toMatchObject({ deaths: 0, killedForTime: 0, killedForMemory: 0 });
});
