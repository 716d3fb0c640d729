import { parentPort, workerData } from 'node:worker_threads';
import type { Observation, Program } from '#src/judge/runner.ts';
import { connect, type DatabaseParts } from './connection.ts';
import { leavesNothing, runSubmission } from './session.ts';

/** What a thread is told. */
export interface Task {
  program: Program;
  outputBytes: number;
}

/** What a thread tells. */
export type Told =
  | { type: 'ready' }
  /** A statement of the program begins, at a place in its text. */
  | { type: 'at'; at: number }
  | { type: 'seen'; observation: Observation }
  /** `isSpent`: this database is not to be used again. */
  | { type: 'done'; isSpent: boolean }
  | { type: 'broken'; message: string };

/** Statements of all kinds, before any is waited for: the engine compiles its functions at their first call. */
const REHEARSAL: Program = {
  language: 'sql',
  fixture: `CREATE TABLE a (id serial PRIMARY KEY, name text NOT NULL UNIQUE, at date CHECK (at > '2000-01-01'));
CREATE TABLE b (id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, a integer REFERENCES a (id), price numeric(10, 2));
INSERT INTO a (name, at) VALUES ('x', '2026-01-01'), ('y', NULL); INSERT INTO b (a, price) VALUES (1, 2.5), (1, 3), (2, NULL);`,
  code: `SELECT a.name, count(*), sum(price), string_agg(b.id::text, ',' ORDER BY b.id) FROM a LEFT JOIN b ON b.a = a.id
WHERE name LIKE '%x%' OR at IS NULL GROUP BY a.name HAVING count(*) > 0 ORDER BY 2 DESC, 1 LIMIT 5 OFFSET 0;
WITH one AS (SELECT DISTINCT a, row_number() OVER (PARTITION BY a ORDER BY price) AS n FROM b)
SELECT * FROM one WHERE n IN (SELECT 1 UNION SELECT 2) AND EXISTS (SELECT 1 FROM a WHERE id = one.a);
UPDATE b SET price = coalesce(price, 0) + 1 WHERE a = 2; DELETE FROM b WHERE price > 3;
SELECT CASE WHEN price > 1 THEN upper('a') ELSE 'b' END, price::text || 'x' FROM b;`,
  inputs: [
    { input: 'result', mode: 'call' },
    { input: 'table b', mode: 'call' },
    { input: 'plan', mode: 'call' },
    { input: "refused: INSERT INTO a (name) VALUES ('x')", mode: 'call' },
  ],
};

/** The part of a thread: a database, one submission after the other. */
export async function serveDatabase(): Promise<void> {
  const port = parentPort!;
  const tell = (told: Told) => port.postMessage(told);
  const connection = await connect(workerData as DatabaseParts);
  await runSubmission(
    connection,
    REHEARSAL,
    65_536,
    () => {},
    () => {},
  );
  port.on('message', ({ program, outputBytes }: Task) => {
    runSubmission(
      connection,
      program,
      outputBytes,
      (at) => tell({ type: 'at', at }),
      (observation) => tell({ type: 'seen', observation }),
    ).then(
      () => {
        const isClean = leavesNothing(program.code, program.fixture) && !connection.hasGrown();
        tell({ type: 'done', isSpent: !isClean });
      },
      (error: unknown) => tell({ type: 'broken', message: String(error).slice(0, 500) }),
    );
  });
  tell({ type: 'ready' });
}
