import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate } from 'drizzle-orm/postgres-js/migrator';
import postgres from 'postgres';

/** Folder of the generated SQL files. */
export const MIGRATIONS_FOLDER = join(fileURLToPath(new URL('.', import.meta.url)), 'migrations');

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
 */
export async function migrateDatabase(url: string, folder: string = MIGRATIONS_FOLDER): Promise<number> {
  return withDatabaseLock(url, async (client) => {
    const before = await missing(client, folder);
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
  const [last] = table?.present
    ? await client`select max(created_at) as "createdAt" from drizzle.__drizzle_migrations`
    : [];
  const newest = Number(last?.createdAt ?? 0);
  // The same rule as the migrator's: files are applied in the order of their time stamps.
  return files
    .filter((file) => file.folderMillis > newest)
    .map((file) => `${new Date(file.folderMillis).toISOString()} ${file.hash.slice(0, 8)}`);
}
