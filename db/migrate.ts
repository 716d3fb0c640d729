import { existsSync, readFileSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate } from 'drizzle-orm/postgres-js/migrator';
import postgres from 'postgres';
import { isAlive } from './lock-file.ts';
import { checkRights } from './rights.ts';

export const MIGRATIONS_FOLDER = join(fileURLToPath(new URL('.', import.meta.url)), 'migrations');

export const FIRST_MIGRATION = '0000_first/';
export const LAST_BEFORE_FIRST = '0028_order_flags';

export class OldDatabaseError extends Error {
  override name = 'OldDatabaseError';

  constructor() {
    super(
      `The database was made by a version before the first migration of this one. Take its data over: start the newest version that still has the migration ${LAST_BEFORE_FIRST} once, "npm run backup" with it, then "npm run restore -- FILE --replace" with this one.`,
    );
  }
}

export class NewerDatabaseError extends Error {
  override name = 'NewerDatabaseError';

  constructor(applied: number, own: { tag: string; when: number }) {
    const shown = (moment: number) => new Date(moment).toISOString().slice(0, 16).replace('T', ' ');
    super(
      `The database is newer than this program: its last migration is of ${shown(applied)} UTC, the last one known here is ${own.tag} of ${shown(own.when)} UTC. Start the version that brought it up to date, or restore a backup from before it with this one: "npm run restore -- FILE --replace".`,
    );
  }
}

/** A restore was begun and did not end. */
export class UnfinishedRestoreError extends Error {
  override name = 'UnfinishedRestoreError';

  constructor(what: string, pid?: string) {
    super(
      pid
        ? `A restore is at work (${what}, process ${pid}): wait for its end. If that process is another, the restore was interrupted: run it again, or "npm run restore -- --abandon" to go on with what is there.`
        : `A restore was interrupted (${what}); the database is as it was before. Run it again, or "npm run restore -- --abandon" to go on with what is there.`,
    );
  }
}

const restoreNote = (dataDir: string) => join(dataDir, 'restore-unfinished');

/** Before there is a database that could say so. */
export async function noteRestore(dataDir: string, what: string): Promise<void> {
  const since = new Date().toISOString().slice(0, 16).replace('T', ' ');
  await writeFile(restoreNote(dataDir), `${process.pid} ${what}, ${since} UTC`);
}

export const forgetRestoreNote = (dataDir: string): Promise<void> =>
  rm(restoreNote(dataDir), { force: true });

export const hasRestoreNote = (dataDir: string): boolean => existsSync(restoreNote(dataDir));

/** @throws {UnfinishedRestoreError} where the data folder has a note of a restore, even an empty one */
export async function refuseUnfinishedRestore(dataDir: string): Promise<void> {
  const note = await readFile(restoreNote(dataDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (note === null) return;
  const [pid, ...what] = note.split(' ');
  throw new UnfinishedRestoreError(
    what.join(' ') || 'of unknown name',
    isAlive(Number(pid)) ? pid : undefined,
  );
}

const RESTORE_MARK = 'unfinished restore:';

export function readJournal(folder: string = MIGRATIONS_FOLDER): {
  entries: { tag: string; when: number }[];
} {
  return JSON.parse(readFileSync(join(folder, 'meta/_journal.json'), 'utf8'));
}

// The same in every instance.
const DATABASE_LOCK = 727_106_001;

export async function withDatabaseLock<T>(
  url: string,
  work: (sql: postgres.Sql) => Promise<T>,
  waitMs = 0,
): Promise<T> {
  // The lock belongs to the session, and a client of one connection has one session.
  const client = postgres(url, { max: 1, onnotice: () => {}, connect_timeout: 10, max_lifetime: null });
  try {
    await client.unsafe(`set lock_timeout = ${Number(waitMs)}`);
    await client`select pg_advisory_lock(${DATABASE_LOCK})`;
    await client`set lock_timeout = 0`;
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
 * In one transaction. @throws {OldDatabaseError} @throws {NewerDatabaseError} @throws {UnfitDatabaseError}
 */
export async function migrateDatabase(url: string, folder: string = MIGRATIONS_FOLDER): Promise<number> {
  return withDatabaseLock(url, async (client) => {
    const before = await missing(client, folder);
    await checkRights(client, before.length > 0);
    if (before.length > 0) await migrate(drizzle(client), { migrationsFolder: folder });
    return before.length;
  });
}

export async function migrateWithin(
  tx: postgres.TransactionSql,
  client: postgres.Sql,
  folder: string = MIGRATIONS_FOLDER,
): Promise<number> {
  const before = await missing(tx, folder);
  // A transaction inside another is a savepoint.
  const within = Object.assign(tx, { options: client.options, begin: tx.savepoint });
  if (before.length > 0)
    await migrate(drizzle(within as unknown as postgres.Sql), { migrationsFolder: folder });
  return before.length;
}

export async function markUnfinishedRestore(sql: postgres.Sql, what: string): Promise<void> {
  const note = `${RESTORE_MARK}${what}, ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  await sql`create schema if not exists drizzle`;
  await sql.unsafe(`comment on schema drizzle is '${note.replaceAll("'", "''")}'`);
}

/** @throws {UnfinishedRestoreError} where the database says that a restore was begun and did not come to its end */
export async function refuseMarkedDatabase(url: string): Promise<void> {
  await pendingMigrations(url).catch((error: unknown) => {
    if (error instanceof UnfinishedRestoreError) throw error;
  });
}

export async function forgetUnfinishedRestore(sql: postgres.ISql): Promise<boolean> {
  const [note] = await sql<{ isMark: boolean | null }[]>`
    select starts_with(obj_description(to_regnamespace('drizzle')::oid, 'pg_namespace'), ${RESTORE_MARK}) as "isMark"`;
  if (!note?.isMark) return false;
  await sql`comment on schema drizzle is null`;
  return true;
}

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

async function missing(client: postgres.ISql, folder: string): Promise<string[]> {
  const files = readMigrationFiles({ migrationsFolder: folder });
  const [table] = await client<{ present: boolean; note: string | null }[]>`
    select to_regclass('drizzle.__drizzle_migrations') is not null as present,
      obj_description(to_regnamespace('drizzle')::oid, 'pg_namespace') as note`;
  if (table?.note?.startsWith(RESTORE_MARK)) {
    throw new UnfinishedRestoreError(table.note.slice(RESTORE_MARK.length));
  }
  const [applied] = table?.present
    ? await client<{ first: string | null; last: string | null }[]>`
        select min(created_at) as first, max(created_at) as last from drizzle.__drizzle_migrations`
    : [];
  if (applied?.first && Number(applied.first) !== files[0]?.folderMillis) throw new OldDatabaseError();
  const newest = Number(applied?.last ?? 0);
  const own = readJournal(folder).entries.at(-1);
  if (own && newest > own.when) throw new NewerDatabaseError(newest, own);
  // The same rule as the migrator's: files are applied in the order of their time stamps.
  return files
    .filter((file) => file.folderMillis > newest)
    .map((file) => `${new Date(file.folderMillis).toISOString()} ${file.hash.slice(0, 8)}`);
}
