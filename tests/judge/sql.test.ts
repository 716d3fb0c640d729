import { afterAll, describe, expect, test } from 'vitest';
import type { JudgeTest, Verdict } from '#src/judge/protocol.ts';
import { PatientJudge } from './controls.ts';

const judge = new PatientJudge({ children: { sql: 1 } });
afterAll(() => judge.stop());

const SHOP = `CREATE TABLE customers (id serial PRIMARY KEY, name text NOT NULL UNIQUE);
CREATE TABLE orders (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  customer_id integer NOT NULL REFERENCES customers (id),
  total numeric(8, 2) CHECK (total > 0)
);
INSERT INTO customers (name) VALUES ('Ada'), ('Bob'), ('Cy');
INSERT INTO orders (customer_id, total) VALUES (1, 10.5), (1, 2), (2, NULL);`;

const asks = (...tests: [input: string, expectedOutput: string][]): JudgeTest[] =>
  tests.map(([input, expectedOutput]) => ({ input, expectedOutput }));
const run = (code: string, tests: JudgeTest[], fixture = SHOP): Promise<Verdict> =>
  judge.judge({ language: 'sql', code, fixture, tests });
const kinds = ({ tests }: Verdict) => tests.map(({ kind }) => kind);

describe('what a test looks at', () => {
  test('the rows of the last query, in any order, with columns by their names', async () => {
    const verdict = await run(
      'SELECT 1; SELECT name, count(*) AS n, sum(total) AS total FROM customers c JOIN orders o ON o.customer_id = c.id GROUP BY name;',
      asks(
        ['result', 'name | n | total\nAda | 2 | 12.5\nBob | 1 | NULL'],
        ['', 'n | total | name\n1 | NULL | Bob\n2 | 12.500 | Ada'],
        ['result', 'n:bigint | total:numeric | name:text\n---+---+---\n1 | NULL | Bob\n2 | 12.5 | Ada'],
        ['result', 'n:integer | total | name\n1 | NULL | Bob\n2 | 12.5 | Ada'],
        ['result', 'n | total | who\n1 | NULL | Bob\n2 | 12.5 | Ada'],
        ['result', 'n | total | name\n1 | NULL | Bob'],
        ['result in order', 'name | n | total\nBob | 1 | NULL\nAda | 2 | 12.5'],
      ),
    );
    expect(kinds(verdict).slice(0, 6)).toEqual([
      'pass',
      'pass',
      'pass',
      'wrong_answer',
      'wrong_answer',
      'wrong_answer',
    ]);
  });

  test('types, by any of the names that PostgreSQL has for them', async () => {
    const code = "SELECT 1 AS n, 'x'::varchar AS word, timestamp '2026-01-01' AS at, true AS ok";
    const row = '1 | x | 2026-01-01 00:00:00 | t';
    const verdict = await run(
      code,
      asks(
        ['', `n:int | word:VARCHAR | at:timestamp without time zone | ok:bool\n${row}`],
        ['', `n:integer | word:character varying | at:timestamp | ok:boolean\n${row}`],
        ['', `n:int8 | word | at | ok\n${row}`],
        ['', `n | word | at:timestamptz | ok\n${row}`],
      ),
    );
    expect(kinds(verdict)).toEqual(['pass', 'pass', 'wrong_answer', 'wrong_answer']);
  });

  test('an order, where it counts', async () => {
    const code = 'SELECT name FROM customers ORDER BY name DESC';
    const verdict = await run(
      code,
      asks(
        ['result in order', 'name\nCy\nBob\nAda'],
        ['result in order', 'name\nAda\nBob\nCy'],
        ['result', 'name\nAda\nBob\nCy'],
      ),
    );
    expect(kinds(verdict)).toEqual(['pass', 'wrong_answer', 'pass']);
  });

  test('a table afterwards, a query of the author, and a statement that is to be refused', async () => {
    const verdict = await run(
      "INSERT INTO customers (name) VALUES ('Di'); ALTER TABLE orders ADD COLUMN paid boolean NOT NULL DEFAULT false;",
      asks(
        ['table customers', 'id | name\n1 | Ada\n2 | Bob\n3 | Cy\n4 | Di'],
        ['SELECT count(*) AS n, bool_or(paid) AS paid FROM orders', 'n | paid\n3 | f'],
        ["refused: INSERT INTO customers (name) VALUES ('Ada')", 'unique_violation'],
        ["refused: INSERT INTO customers (name) VALUES ('Ada')", 'unique_violation customers_name_key'],
        ['refused: INSERT INTO orders (customer_id, total) VALUES (1, -1)', 'check_violation'],
        ['refused: DELETE FROM orders', 'accepted'],
        ['table customers', 'id | name\n1 | Ada\n2 | Bob\n3 | Cy\n4 | Di'],
        ['table clients', 'id'],
      ),
    );
    expect(kinds(verdict)).toEqual([...Array.from({ length: 7 }, () => 'pass'), 'wrong_answer']);
    expect(verdict.tests.at(-1)!.error!.message).toContain('cannot look at the table clients');
  });

  test('rows that are given before', async () => {
    const verdict = await run(
      'SELECT count(*) AS n FROM customers',
      asks(
        ["given: INSERT INTO customers (name) VALUES ('Di'), ('Eve');\nthen\nresult", 'n\n5'],
        ['result', 'n\n3'],
        ['given: DELETE FROM orders; DELETE FROM customers;\nthen\nSELECT count(*) AS n FROM orders', 'n\n0'],
      ),
    );
    expect(kinds(verdict)).toEqual(['pass', 'pass', 'pass']);
  });

  test('the plan of the last query', async () => {
    const rows = `${SHOP}\nINSERT INTO orders (customer_id, total) SELECT 1, g FROM generate_series(1, 3000) g; ANALYZE orders;`;
    const query = 'SELECT id FROM orders WHERE total = 77';
    const test = asks(['plan', 'Index Scan using by_total']);
    expect(
      (await run(`CREATE INDEX by_total ON orders (total); ANALYZE orders; ${query}`, test, rows)).kind,
    ).toBe('pass');
    const without = await run(query, test, rows);
    expect(without.kind).toBe('wrong_answer');
    expect(without.hint!.message).toContain('Seq Scan');
  });

  test.each([
    [
      'an alias that reads so',
      'SELECT id AS "Index Scan using by_total" FROM orders AS "Index Scan using by_total" LIMIT 5',
    ],
    [
      'an alias on a line of its own',
      'SELECT id FROM orders AS "x\n  ->  Index Scan using by_total on y" LIMIT 5',
    ],
    [
      'a setting',
      'SET enable_seqscan = off; SET enable_bitmapscan = off; SELECT id FROM orders WHERE total > 0 LIMIT 5',
    ],
  ])('the plan of the last query is no other for %s', async (_, query) => {
    const rows = `${SHOP}\nINSERT INTO orders (customer_id, total) SELECT 1, g FROM generate_series(1, 3000) g; CREATE INDEX by_total ON orders (total); ANALYZE orders;`;
    expect((await run(query, asks(['plan', 'Index Scan using by_total']), rows)).kind).toBe('wrong_answer');
    expect((await run(query, asks(['plan', 'Seq Scan on orders']), rows)).kind).toBe('pass');
  });

  test('the author’s query finds the lesson’s own tables and the system’s operators, whatever a program names so', async () => {
    const look = asks([
      "SELECT count(*) AS n, lower('A'::varchar) AS a FROM customers WHERE name::varchar = 'Ada'::varchar",
      'n | a\n1 | a',
    ]);
    for (const code of [
      'CREATE TEMP TABLE customers (name text)',
      'CREATE SCHEMA other; CREATE TABLE other.customers (name varchar); SET search_path = other, public',
      'CREATE FUNCTION no(varchar, varchar) RETURNS boolean LANGUAGE sql RETURN false; CREATE OPERATOR = (LEFTARG = varchar, RIGHTARG = varchar, FUNCTION = no)',
      'CREATE FUNCTION no(varchar, varchar) RETURNS boolean LANGUAGE sql RETURN false; CREATE OPERATOR = (LEFTARG = varchar, RIGHTARG = varchar, FUNCTION = no); CREATE TEMP TABLE pg_operator (oid oid, oprname name, oprnamespace oid); CREATE TEMP TABLE pg_proc (oid oid, proname name, pronamespace oid)',
      "CREATE FUNCTION lower(varchar) RETURNS text LANGUAGE sql RETURN 'x'",
      "DO $$ BEGIN EXECUTE 'CREATE FUNC' || 'TION lower(varchar) RETURNS text LANGUAGE sql RETURN ''x'''; END $$",
    ])
      expect((await run(code, look)).kind, code).toBe('pass');
    const range = await run('CREATE TYPE lower AS RANGE (subtype = varchar)', look);
    expect(range.error?.message).toMatch(/cannot look at what they did: .*lower/);
  });
});

test('what a program called a type is not how another program’s type is called', async () => {
  const look = asks(['result', "a:tsquery\n'x'"]);
  const own = "CREATE TYPE public.tsquery AS ENUM ('x'); SET search_path = public, pg_catalog;";
  await run(`${own} SELECT 'x'::pg_catalog.tsquery AS a`, look);
  expect((await run("SELECT 'x'::tsquery AS a", look)).kind).toBe('pass');
});

test('tables of a lesson that are not made in time leave nothing to the next submission', async () => {
  const endless = 'CREATE TABLE kept (a integer); BEGIN; DO $$ BEGIN LOOP END LOOP; END $$';
  const limits = { testMs: 50, totalMs: 100 };
  const asked = asks(['result', 'x']);
  for (const fixture of [endless, 'SELECT count(*) FROM generate_series(1, 10000000000)']) {
    const first = await judge.judge({ language: 'sql', code: '\nSELECT 1', fixture, tests: asked }, limits);
    expect([first.kind, first.error?.line]).toEqual(['time_limit', null]);
    const next = await run(
      'SELECT relname AS n FROM pg_class WHERE oid >= 16384',
      asks(['', 'n\na']),
      'CREATE TABLE a (b integer)',
    );
    expect(next.kind).toBe('pass');
  }
});

test('each test begins with the lesson’s own rows, and numbers begin anew', async () => {
  const table = 'id | name\n1 | Ada\n2 | Bob\n3 | Cy\n4 | Di';
  const code = "INSERT INTO customers (name) VALUES ('Di') RETURNING id;";
  const verdict = await run(code, asks(['result', 'id\n4'], ['table customers', table], ['result', 'id\n4']));
  expect(verdict.kind).toBe('pass');
  const dropped = await run('DROP TABLE orders; SELECT 1 AS one;', asks(['', 'one\n1'], ['', 'one\n1']));
  expect(dropped.kind).toBe('pass');
});

test('nothing that a session keeps beyond its transactions reaches the next submission', async () => {
  const locks = "SELECT count(*) AS n FROM pg_locks WHERE locktype = 'advisory'";
  const kept = asks([locks, 'n\n1']);
  // The name is made while it runs, so that the text does not show what it does.
  const lock = "SELECT query_to_xml('SELECT pg_adv' || 'isory_lock(7)', false, false, '')";
  const first = await run(lock, kept);
  expect(['pass', 'runtime_error']).toContain(first.kind);
  expect((await run('SELECT 1', asks([locks, 'n\n0']))).kind).toBe('pass');
});

test('each test begins with the settings and the random numbers of the session', async () => {
  const settings =
    "SELECT md5(string_agg(name || ' ' || coalesce(setting, ''), ',' ORDER BY name)) AS m FROM pg_settings";
  const before = (await run(settings, asks(['result', 'm']))).tests[0]!.got!;
  const code = `${settings}; SET seed = 0.5; SET work_mem = '1MB'; SET TimeZone = 'Asia/Tokyo'; SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY;`;
  const look = asks(['result', before], ['result', before], ['SELECT 1 AS one', 'one\n1']);
  expect((await run(code, look)).kind).toBe('pass');
  expect((await run(settings, asks(['result', before]))).kind).toBe('pass');
  const random = 'SELECT random() AS r; SET seed = 0.25;';
  const [one, two] = (await run(random, asks(['result', 'r'], ['result', 'r']))).tests;
  expect(one!.got).toBe(two!.got);
  expect((await run(random, asks(['result', 'r']))).tests[0]!.got).not.toBe(one!.got);
});

test('a limit of time that a program sets itself ends nothing', async () => {
  const code = 'SET statement_timeout = 5; SET transaction_timeout = 5; SELECT 1 AS one';
  expect((await run(code, asks(['result', 'one\n1']))).kind).toBe('pass');
});

test('a right program passes behind one whose many tests took all of its time', async () => {
  const columns = Array.from({ length: 1_600 }, (_, at) => `'a'::text AS c${at}`).join(', ');
  const many = Array.from({ length: 100 }, (): [string, string] => ['result', 'x']);
  for (const testMs of [100, 300]) {
    const limits = { testMs, totalMs: testMs * 3 };
    await judge.judge({ language: 'sql', code: `SELECT ${columns}`, tests: asks(...many) }, limits);
    expect((await run('SELECT 1 AS one', asks(['', 'one\n1']))).kind).toBe('pass');
  }
}, 60_000);

test('what is committed behind the end of a comment stays in its own test', async () => {
  const commit = 'SELECT 1 --\r; DELETE FROM orders; COMMIT; SELECT count(*) AS n FROM orders';
  expect((await run(commit, asks(['result', 'n\n0'], ['result', 'n\n0']))).kind).toBe('pass');
  expect((await run('SELECT count(*) AS n FROM orders', asks(['result', 'n\n3']))).kind).toBe('pass');
});

describe('transactions', () => {
  test.each([
    ['committed', 'BEGIN; DELETE FROM orders; COMMIT;', '0'],
    ['rolled back', 'BEGIN; DELETE FROM orders; ROLLBACK;', '3'],
    [
      'rolled back to a savepoint',
      'BEGIN; DELETE FROM orders WHERE id = 1; SAVEPOINT s; DELETE FROM orders; ROLLBACK TO s; COMMIT;',
      '2',
    ],
    ['never committed', 'START TRANSACTION; DELETE FROM orders;', '3'],
    ['two of them', 'BEGIN; DELETE FROM orders WHERE id = 1; END; BEGIN; DELETE FROM orders; ABORT;', '2'],
    ['none that could be ended', 'DELETE FROM orders WHERE id = 1; COMMIT; ROLLBACK;', '2'],
  ])('%s', async (_, code, count) => {
    const look: [string, string] = ['SELECT count(*) AS n FROM orders', `n\n${count}`];
    expect(kinds(await run(code, asks(look, look)))).toEqual(['pass', 'pass']);
  });

  test('a rule that is looked at when they are committed', async () => {
    const fixture = `${SHOP} CREATE TABLE a (id int PRIMARY KEY, b int REFERENCES a (id) DEFERRABLE INITIALLY DEFERRED);`;
    const good = 'BEGIN; INSERT INTO a VALUES (1, 2); INSERT INTO a VALUES (2, 1); COMMIT;';
    expect((await run(good, asks(['SELECT count(*) AS n FROM a', 'n\n2']), fixture)).kind).toBe('pass');
    const bad = await run(
      'BEGIN; INSERT INTO a VALUES (1, 2); COMMIT;',
      asks(['table a', 'id | b']),
      fixture,
    );
    expect([bad.kind, bad.error!.name]).toEqual(['runtime_error', 'foreign_key_violation']);
  });
});

describe('errors', () => {
  test('are at the learner’s line and column, and what ran before is shown', async () => {
    const verdict = await run('SELECT 1 AS one;\n\n-- next\nSELECT nam\nFROM customers', asks(['', 'x\n1']));
    expect(verdict).toMatchObject({ kind: 'runtime_error', output: 'one\n1\n' });
    expect(verdict.error).toMatchObject({ name: 'undefined_column', line: 4, column: 8 });
    expect(verdict.error!.explanation).toContain('Did you mean name?');
  });

  test('a statement that is none', async () => {
    const verdict = await run('SELECT name FORM customers', asks(['', 'name\nAda']));
    expect(verdict.kind).toBe('syntax_error');
  });

  test('of the lesson are told as such', async () => {
    expect((await run('SELECT 1', asks(['', 'x']), 'CREATE TABLE a (')).error!.message).toContain(
      'The tables of this lesson could not be made',
    );
    expect((await run('SELECT 1', asks(['rows', 'x']))).error!.name).toBe('InvalidInput');
    expect((await run('SELECT 1', asks(['given: SELECT', 'x']))).error!.message).toContain('then');
  });

  test('a hidden test tells nothing of its rows', async () => {
    const hidden = {
      input: "given: INSERT INTO customers (name) VALUES ('Secret');\nthen\nresult",
      expectedOutput: 'n\n9',
      hidden: true,
    };
    const code = 'SELECT 1 / (SELECT 4 - count(*) FROM customers) AS n, max(name) FROM customers';
    const verdict = await run(code, [hidden]);
    expect(JSON.stringify([verdict.error, verdict.hint, verdict.output])).not.toMatch(/Secret|9/);
  });

  test.each([
    "DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '42601', MESSAGE = (SELECT max(name) FROM customers); END $$",
    'DO $$ BEGIN EXECUTE (SELECT max(name) FROM customers); END $$',
    "DO $$ BEGIN EXECUTE format('CREATE FUNCTION f() RETURNS int LANGUAGE sql AS %L', (SELECT max(name) FROM customers)); END $$",
    'SELECT to_tsquery(max(name)) FROM customers',
    'SELECT max(name)::regtype FROM customers',
    "SELECT query_to_xml(max(name), true, true, '') FROM customers",
  ])('a hidden row that is read as SQL is not told: %s', async (code) => {
    const given = "given: INSERT INTO customers (name) VALUES ('Secret Zq Secret Zq');\nthen\nresult";
    const verdict = await run(code, [{ input: given, expectedOutput: 'x', hidden: true }]);
    expect(verdict.kind).toBe('runtime_error');
    expect(JSON.stringify([verdict.error, verdict.hint, verdict.output])).not.toMatch(/Secret|Zq/);
  });

  test.each([
    ['SELECT name FORM customers', 1],
    ['CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS $$\nBEGIN RETRUN 1; END $$', 2],
    ['CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $$\nSELEC 1 $$', 2],
    ['DO $$\nBEGIN SELEC 1; END $$', 2],
  ])('a mistake in the text itself is told of a hidden test too: %s', async (code, line) => {
    const verdict = await run(code, [{ input: '', expectedOutput: 'x', hidden: true }]);
    expect([verdict.kind, verdict.error?.line]).toEqual(['syntax_error', line]);
    expect(verdict.error?.message).toMatch(/syntax error at or near/);
  });
});

test('a run without tests shows what its statements gave', async () => {
  const verdict = await judge.judge({
    language: 'sql',
    fixture: SHOP,
    code: "SELECT name FROM customers ORDER BY 1 LIMIT 2; UPDATE orders SET total = 1; DO $$ BEGIN RAISE NOTICE 'hello'; END $$;",
    tests: [],
    expectedOutput: 'name\nAda\nBob\nUPDATE 3\nNOTICE: hello\nDO',
  });
  expect(verdict.output).toBe('name\nAda\nBob\nUPDATE 3\nNOTICE: hello\nDO\n');
  expect(verdict.kind).toBe('pass');
});

test('a full disk is a limit, at once, and the next program has another database', async () => {
  const full = 'CREATE TABLE t AS SELECT repeat(md5(a::text), 30) FROM generate_series(1, 1000000) a';
  const submission = {
    language: 'sql',
    code: full,
    fixture: SHOP,
    tests: asks(['', 'a'], ['', 'b']),
  } as const;
  for (let times = 0; times < 3; times += 1) {
    const verdict = await judge.judge(submission, { testMs: 8_000, totalMs: 16_000 });
    expect(kinds(verdict)).toEqual(['memory_limit', 'memory_limit']);
    expect((await run('SELECT 1 AS n', asks(['', 'n\n1']), '')).kind).toBe('pass');
  }
}, 120_000);
