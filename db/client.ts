import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';
import { takingTurns, transaction, Turns } from './turns.ts';

export type Database = PostgresJsDatabase<Record<string, never>>;
export type Tx = Parameters<Parameters<Database['transaction']>[0]>[0];
export type Executor = Database | Tx;

type Connection = { sql: postgres.Sql; db: Database; turns: Turns };

const STATEMENT_TIMEOUT_SECONDS = 5;
const POOL_WAIT_MS = 2_000;
// A server that is frozen stops nothing by itself.
const ANSWER_SECONDS = 4.5;
const CONNECT_SECONDS = 2.5;

/** Milliseconds. */
export const SESSION_SETTINGS = {
  application_name: 'academy',
  TimeZone: 'UTC',
  statement_timeout: STATEMENT_TIMEOUT_SECONDS * 1000,
  idle_in_transaction_session_timeout: 15_000,
} as const;

let connection: Connection | undefined;

export function connectDatabase(
  url: string,
  { max = 12, socketPath }: { max?: number; socketPath?: string | undefined } = {},
): Database {
  if (connection) throw new Error('The database is connected already.');
  const driver = postgres(url, {
    max,
    ...(socketPath ? { path: socketPath } : {}),
    idle_timeout: 60,
    connect_timeout: CONNECT_SECONDS,
    answer_timeout: ANSWER_SECONDS,
    backoff: (tries: number) => Math.min(0.5, 0.05 * 2 ** tries),
    max_lifetime: 30 * 60,
    onnotice: () => {},
    connection: SESSION_SETTINGS,
  });
  const turns = new Turns(max, POOL_WAIT_MS);
  const sql = takingTurns(driver, turns);
  connection = { sql, db: knowingItsTransactions(drizzle(sql, { casing: 'snake_case' })), turns };
  return connection.db;
}

function knowingItsTransactions(database: Database): Database {
  const begin = database.transaction.bind(database);
  database.transaction = (work, config) =>
    begin((tx) => transaction.run({ isPatient: false }, () => work(tx)), config);
  return database;
}

function current(): Connection {
  if (!connection) {
    const url = process.env.DATABASE_URL;
    if (!url) throw new Error('DATABASE_URL is not set and no database was connected.');
    connectDatabase(url, { socketPath: process.env.DATABASE_SOCKET });
  }
  return connection!;
}

export function db(): Database {
  if (process.env.NODE_ENV === 'test' && transaction.getStore()) {
    throw new Error('Code inside a transaction must use the transaction, not take a second connection.');
  }
  return current().db;
}

export function sqlClient(): postgres.Sql {
  return current().sql;
}

/** For filling the database, never for a request. */
export async function takeTime(tx: Tx): Promise<void> {
  await tx.execute(`set local statement_timeout = 0`);
  await tx.execute(`set local idle_in_transaction_session_timeout = 0`);
  transaction.getStore()!.isPatient = true;
}

export function poolUse(): { inUse: number; waiting: number; max: number } {
  const { inUse, waiting, max } = current().turns;
  return { inUse, waiting, max };
}

export async function closeDatabase(timeoutSeconds = 5): Promise<void> {
  const open = connection;
  connection = undefined;
  await open?.sql.end({ timeout: timeoutSeconds });
}

/** Halves the time of a hot read; built at first use and after a reconnect. */
export function prepared<T extends object>(build: (database: Database) => T): () => T {
  const made = new WeakMap<Database, T>();
  return () => {
    const database = db();
    const statement = made.get(database) ?? build(database);
    made.set(database, statement);
    return statement;
  };
}
