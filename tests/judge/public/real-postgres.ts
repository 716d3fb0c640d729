import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import postgres from 'postgres';
import { startEmbeddedPostgres } from '#db/embedded.ts';
import { tableText, type Table } from '#src/judge/comparing/tables.ts';
import { CONDITIONS } from '#src/judge/languages/sql/conditions.ts';
import { databaseOn } from '../../support/database-url.ts';
import { temporaryFolder } from '../../support/site.ts';

/** What the server itself gave: rows as the judge writes them, or the condition and the constraint as `refused:` tells them. */
export interface RealResult {
  table: Table | null;
  text: string;
  refused: string | null;
}

/** An empty database of a PostgreSQL server. */
export interface RealDatabase {
  run(statement: string): Promise<RealResult>;
  drop(): Promise<void>;
}

/** A PostgreSQL server: the one of `TEST_DATABASE_URL`, or one that is started for this script. */
export interface RealPostgres {
  database(): Promise<RealDatabase>;
  stop(): Promise<void>;
}

const QUIET = { max: 1, onnotice: () => {} };

/** Starts PostgreSQL as the tests do. */
export async function startRealPostgres(): Promise<RealPostgres> {
  const given = process.env.TEST_DATABASE_URL;
  const dataDir = given ? null : await temporaryFolder('academy-test-');
  const server = dataDir ? await startEmbeddedPostgres({ dataDir }) : null;
  const url = given ?? server!.url;
  const admin = postgres(url, QUIET);
  return {
    async database() {
      const name = `judge_proof_${randomBytes(6).toString('hex')}`;
      await admin.unsafe(`create database ${name}`);
      const sql = postgres(databaseOn(url, name), QUIET);
      return {
        run: (statement) => runOn(sql, statement),
        async drop() {
          await sql.end();
          await admin.unsafe(`drop database ${name} with (force)`);
        },
      };
    },
    async stop() {
      await admin.end();
      await server?.stop();
      if (dataDir) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

const typeNames = new Map<number, string>();

async function typeName(sql: postgres.Sql, id: number): Promise<string> {
  const known = typeNames.get(id);
  if (known !== undefined) return known;
  const [row] = await sql.unsafe(`select pg_catalog.format_type(${id}, null) as name`);
  typeNames.set(id, row!.name);
  return row!.name;
}

async function runOn(sql: postgres.Sql, statement: string): Promise<RealResult> {
  try {
    // Not prepared, and as the server writes it: what psql would show.
    const rows = await sql.unsafe(statement).simple().raw();
    if (!rows.columns?.length) return { table: null, text: '', refused: null };
    const columns = await Promise.all(
      rows.columns.map(async ({ name, type }) => ({ name, type: await typeName(sql, type) })),
    );
    const values = rows as unknown as (Buffer | null)[][];
    const table = { columns, rows: values.map((row) => row.map((value) => value?.toString() ?? null)) };
    return { table, text: tableText(table), refused: null };
  } catch (error) {
    if (!(error instanceof postgres.PostgresError)) throw error;
    const refused = `${CONDITIONS[error.code] ?? error.code} ${error.constraint_name ?? ''}`.trim();
    return { table: null, text: '', refused };
  }
}
