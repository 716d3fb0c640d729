import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate } from 'drizzle-orm/postgres-js/migrator';
import postgres from 'postgres';
import { checkRights } from './rights.ts';

/** Folder of the SQL files: those of the first migration by subject in a folder of their own, then the generated ones. */
export const MIGRATIONS_FOLDER = join(fileURLToPath(new URL('.', import.meta.url)), 'migrations');

/** A database that this version cannot bring up to date; the message is for the operator. */
export class OldDatabaseError extends Error {
  override name = 'OldDatabaseError';

  constructor() {
    super(
      'The database was made by a version before the first migration of this one. Take its data over: "npm run backup" with that version, then "npm run restore -- FILE --replace" with this one.',
    );
  }
}

/** The migrations in their order: names, as paths without ".sql", and their time stamps. */
export function readJournal(folder: string = MIGRATIONS_FOLDER): {
  entries: { tag: string; when: number }[];
} {
  return JSON.parse(readFileSync(join(folder, 'meta/_journal.json'), 'utf8'));
}

// Any constant will do, as long as every instance of this application takes the same one.
const DATABASE_LOCK = 727_106_001;

/**
 * Runs work that one instance at a time may do on a database, such as migrating it; the others wait for their turn.
 *
 * @param work gets the connection that holds the lock
 */
export async function withDatabaseLock<T>(url: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  // The lock belongs to the session, and a client of one connection has one session.
  const client = postgres(url, { max: 1, onnotice: () => {}, connect_timeout: 10, max_lifetime: null });
  try {
    await client`select pg_advisory_lock(${DATABASE_LOCK})`;
    try {
      return await work(client);
    } finally {
      await client`select pg_advisory_unlock(${DATABASE_LOCK})`;
    }
  } finally {
    await client.end({ timeout: 5 });
  }
}

/**
 * Applies every migration that the database lacks, in one transaction, and gives the number applied. Instances that
 * start together wait for each other: the migrator itself takes no lock.
 *
 * @throws {OldDatabaseError} for a database with other migrations than those that this version begins with
 * @throws {UnfitDatabaseError} for one that may not be written, or is another program's; nothing is left behind in it
 */
export async function migrateDatabase(url: string, folder: string = MIGRATIONS_FOLDER): Promise<number> {
  return withDatabaseLock(url, async (client) => {
    const before = await missing(client, folder);
    await checkRights(client, before.length > 0);
    if (before.length > 0) await migrate(drizzle(client), { migrationsFolder: folder });
    return before.length;
  });
}

/**
 * Names of the migrations this copy of the code brings and the database has not applied; empty when it is up to date.
 * Takes a URL, or a connection that is open already (health checks must not open one each time).
 */
export async function pendingMigrations(
  database: string | postgres.Sql,
  folder: string = MIGRATIONS_FOLDER,
): Promise<string[]> {
  if (typeof database !== 'string') return missing(database, folder);
  const client = postgres(database, { max: 1, onnotice: () => {}, connect_timeout: 5 });
  try {
    return await missing(client, folder);
  } finally {
    await client.end({ timeout: 1 });
  }
}

async function missing(client: postgres.Sql, folder: string): Promise<string[]> {
  const files = readMigrationFiles({ migrationsFolder: folder });
  const [table] = await client`select to_regclass('drizzle.__drizzle_migrations') is not null as present`;
  const [applied] = table?.present
    ? await client<{ first: string | null; last: string | null }[]>`
        select min(created_at) as first, max(created_at) as last from drizzle.__drizzle_migrations`
    : [];
  if (applied?.first && Number(applied.first) !== files[0]?.folderMillis) throw new OldDatabaseError();
  const newest = Number(applied?.last ?? 0);
  // The same rule as the migrator's: files are applied in the order of their time stamps.
  return files
    .filter((file) => file.folderMillis > newest)
    .map((file) => `${new Date(file.folderMillis).toISOString()} ${file.hash.slice(0, 8)}`);
}
