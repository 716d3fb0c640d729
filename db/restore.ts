import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { access, cp, mkdir, readFile, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type postgres from 'postgres';
import { extract } from 'tar';
import {
  BackupError,
  type BackupSummary,
  columnList,
  listTables,
  type Manifest,
  manifestModel,
  measured,
  PLAIN_SPELLING,
  quoted,
  summaryOf,
} from './backup.ts';
import { type FileStore, SET_ASIDE, UNPACKED_BACKUP } from './file-store.ts';
import { makeOwnFolder, sweepOwnFolders } from './lock-file.ts';
import {
  FIRST_MIGRATION,
  LAST_BEFORE_FIRST,
  forgetUnfinishedRestore,
  markUnfinishedRestore,
  MIGRATIONS_FOLDER,
  migrateWithin,
  readJournal,
  withDatabaseLock,
} from './migrate.ts';
import { checkRights } from './rights.ts';

const LOCK_WAIT_MS = 500;

export interface UnpackedBackup {
  folder: string;
  manifest: Manifest;
  name: string;
  bytes: number;
  remove: () => Promise<void>;
}

function ownName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.()}`;
  }
}

const removeFolder = (folder: string) => rm(folder, { recursive: true, force: true, maxRetries: 10 });

/** Every table, in the clear. */
export const sweepUnpacked = (dataDir: string): Promise<void> => sweepOwnFolders(dataDir, UNPACKED_BACKUP);

/** Unpacks a backup and checks every part of it. @throws {BackupError} and leaves nothing behind */
export async function unpackBackup(file: string, dataDir: string): Promise<UnpackedBackup> {
  const info = await stat(file).catch(({ code }: NodeJS.ErrnoException) => {
    throw new BackupError(
      code === 'EACCES'
        ? `${file} may not be read by ${ownName()}, as whom this command runs.`
        : `There is no file ${file}.`,
    );
  });
  if (!info.isFile()) throw new BackupError(`There is no file ${file}.`);
  await access(file, constants.R_OK).catch(() => {
    throw new BackupError(`${file} may not be read by ${ownName()}, as whom this command runs.`);
  });
  const made = await mkdir(dataDir, { recursive: true, mode: 0o711 });
  await sweepUnpacked(dataDir);
  const folder = await makeOwnFolder(dataDir, UNPACKED_BACKUP).catch((error: unknown) => {
    throw withoutRoom(error, file, dataDir);
  });
  const remove = () => removeFolder(folder);
  try {
    await unpack(file, folder);
    const manifest = await readManifest(folder);
    await checkFiles(manifest, folder);
    await migrationsOf(manifest, folder);
    return { folder, manifest, name: basename(file), bytes: info.size, remove };
  } catch (error) {
    await remove();
    if (made) await rmdir(dataDir).catch(() => {});
    throw withoutRoom(error, file, dataDir);
  }
}

export type Restored = BackupSummary & {
  migrated: number;
  /** Null where nothing was set aside. */
  kept: string | null;
};

/** Migrates, and proves that every row is as written. @throws {UnfitDatabaseError} @throws {BackupError} */
export async function restoreBackup({
  url,
  store,
  backup,
  replace = false,
  onMarked = async () => {},
}: {
  url: string;
  store: FileStore;
  backup: UnpackedBackup;
  replace?: boolean;
  onMarked?: () => Promise<void>;
}): Promise<Restored> {
  const { folder, manifest, bytes, name } = backup;
  try {
    return await withIdleDatabase(url, async (client) => {
      await checkRights(client, true);
      if (!replace && (await hasTables(client))) {
        throw new BackupError(
          'The database has tables already. With --replace they are set aside, and the backup takes their place.',
        );
      }
      await markUnfinishedRestore(client, name);
      await onMarked();
      const done = await client
        .begin(async (tx) => {
          for (const setting of PLAIN_SPELLING) await tx.unsafe(setting);
          await dropKept(tx);
          const kept = await setAside(tx);
          await migrateWithin(tx, client, await migrationsOf(manifest, folder));
          await loadTables(tx, manifest, folder);
          const migrated = await migrateWithin(tx, client);
          for (const stored of manifest.files) {
            await putWhole(store, stored, join(folder, 'files', stored.sha256));
          }
          return { kept, migrated };
        })
        .catch(async (error: unknown) => {
          await forgetUnfinishedRestore(client).catch(() => {});
          throw error;
        });
      return { ...summaryOf(manifest, bytes), ...done };
    });
  } finally {
    await backup.remove();
  }
}

/** Exchanges the present tables for those set aside. @throws {BackupError} */
export async function putBack(url: string): Promise<string | null> {
  return withIdleDatabase(url, (client) =>
    client.begin(async (tx) => {
      const kept = await keptSchema(tx);
      if (!kept) throw new BackupError('Nothing is kept of a time before a restore.');
      for (const setting of PLAIN_SPELLING) await tx.unsafe(setting);
      const aside = await setAside(tx);
      await tx.unsafe('create schema drizzle');
      await tx.unsafe(`alter table ${quoted(kept)}.__drizzle_migrations set schema drizzle`);
      await moveObjects(tx, kept, 'public');
      await tx.unsafe(`drop schema ${quoted(kept)}`);
      return aside;
    }),
  );
}

export async function forgetKept(url: string): Promise<string | null> {
  return withDatabaseLock(url, (client) => client.begin(dropKept), LOCK_WAIT_MS);
}

export async function abandonRestore(url: string): Promise<boolean> {
  return withDatabaseLock(url, forgetUnfinishedRestore, LOCK_WAIT_MS);
}

async function withIdleDatabase<T>(url: string, work: (client: postgres.Sql) => Promise<T>): Promise<T> {
  try {
    return await withDatabaseLock(
      url,
      async (client) => {
        const [site] = await client<{ count: number }[]>`
          select count(*)::int as count from pg_stat_activity
          where datname = current_database() and application_name like 'academy%'`;
        if (site!.count > 0) {
          throw new BackupError('The site is running on this database: stop it before restoring.');
        }
        return work(client);
      },
      LOCK_WAIT_MS,
    );
  } catch (error) {
    throw explained(error);
  }
}

async function putWhole(store: FileStore, { sha256, size }: { sha256: string; size: number }, file: string) {
  if (size > 0 && (await store.size(sha256)) === size) {
    const digest = createHash('sha256');
    for await (const chunk of await store.read(sha256, { start: 0, end: size - 1 })) digest.update(chunk);
    if (digest.digest('hex') !== sha256) await store.remove(sha256);
  }
  await store.put(sha256, { file }, size);
}

function explained(error: unknown): unknown {
  const { code, message } = error as { code?: string; message: string };
  if (code === '55P03') {
    return new BackupError(
      'Another process is at work on this database (a start, a backup or a restore): wait until it has ended.',
    );
  }
  if (code === '42501') {
    return new BackupError(
      `The database's role lacks a right (${message}): it has to own the site's tables, and to have CREATE on the database and on the schema public. Nothing was changed.`,
    );
  }
  if (code === '53100' || code === 'ENOSPC') {
    return new BackupError(`The disk is full (${message}): nothing was changed.`);
  }
  return error;
}

async function hasTables(sql: postgres.ISql): Promise<boolean> {
  const [found] = await sql<{ tables: number }[]>`
    select count(*)::int as tables from pg_class
    where relnamespace = to_regnamespace('public') and relkind = 'r'`;
  return found!.tables > 0;
}

async function keptSchema(sql: postgres.ISql): Promise<string | null> {
  const [kept] = await sql<{ name: string }[]>`
    select nspname as name from pg_namespace where starts_with(nspname, ${SET_ASIDE}) order by 1 desc limit 1`;
  return kept?.name ?? null;
}

async function dropKept(sql: postgres.ISql): Promise<string | null> {
  const kept = await keptSchema(sql);
  if (kept) await sql.unsafe(`drop schema ${quoted(kept)} cascade`);
  return kept;
}

/** Routines, types, then tables with all that belongs to them, then views and sequences. */
async function moveObjects(tx: postgres.TransactionSql, from: string, to: string): Promise<void> {
  const isNoExtensions = (catalog: string) =>
    `not exists (select from pg_depend d where d.classid = '${catalog}'::regclass and d.objid = o.oid and d.deptype = 'e')`;
  const found = (text: string) => tx.unsafe<{ what: string }[]>(text, [from]);
  const lists = [
    () =>
      found(`select 'routine ' || o.oid::regprocedure as what from pg_proc o
      where o.pronamespace = to_regnamespace($1) and ${isNoExtensions('pg_proc')} order by o.oid`),
    () =>
      found(`select case o.typtype when 'd' then 'domain ' else 'type ' end || o.oid::regtype as what from pg_type o
      where o.typnamespace = to_regnamespace($1) and o.typtype in ('e', 'd', 'r') and ${isNoExtensions('pg_type')}
      order by o.oid`),
    () =>
      found(`select case o.relkind when 'v' then 'view ' when 'm' then 'materialized view ' when 'S' then 'sequence '
        else 'table ' end || o.oid::regclass as what from pg_class o
      where o.relnamespace = to_regnamespace($1) and o.relkind in ('r', 'p', 'v', 'm', 'S') and ${isNoExtensions('pg_class')}
        and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = o.oid
          and d.refclassid = 'pg_class'::regclass and d.refobjsubid > 0 and d.deptype in ('a', 'i'))
      order by o.oid`),
  ];
  // Each list is read when those before it have moved: names then say their new schema.
  for (const list of lists) {
    for (const { what } of await list()) await tx.unsafe(`alter ${what} set schema ${quoted(to)}`);
  }
}

/** The background queue is dropped: what is due is found again from the tables. */
async function setAside(tx: postgres.TransactionSql): Promise<string | null> {
  const isKept = await hasTables(tx);
  const kept = `${SET_ASIDE}${new Date().toISOString().slice(0, 19).replace(/\D/g, '_')}`;
  await tx`drop schema if exists pgboss cascade`;
  if (isKept) {
    // Whoever still writes waits, and finds what is in place when the restore is done.
    const tables = (await listTables(tx)).map(({ name }) => `public.${quoted(name)}`);
    await tx.unsafe(`lock table ${tables.join(', ')} in access exclusive mode`);
    await tx.unsafe(`create schema ${quoted(kept)}`);
    await moveObjects(tx, 'public', kept);
    const [table] = await tx`select to_regclass('drizzle.__drizzle_migrations') is not null as present`;
    if (table!.present)
      await tx.unsafe(`alter table drizzle.__drizzle_migrations set schema ${quoted(kept)}`);
  }
  await tx`drop schema if exists drizzle cascade`;
  return isKept ? kept : null;
}

async function unpack(file: string, folder: string): Promise<void> {
  try {
    await extract({
      file,
      cwd: folder,
      strict: true,
      filter: (path, entry) =>
        'type' in entry &&
        (entry.type === 'File' || entry.type === 'Directory') &&
        /^(manifest\.json|tables\/?|files\/?|tables\/[a-z_][a-z0-9_]*|files\/[0-9a-f]{64})$/.test(path),
    });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOSPC') throw error;
    const isSystems = /^E[A-Z]+$/.test(code ?? '');
    const why = isSystems ? message : 'it is cut off, damaged or another kind of file';
    throw new BackupError(`${basename(file)} cannot be read as a backup: ${why}.`);
  }
}

function withoutRoom(error: unknown, file: string, dataDir: string): unknown {
  if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') return error;
  return new BackupError(`There is no room to unpack ${basename(file)} in ${dataDir}: nothing was changed.`);
}

async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, 'manifest.json'), 'utf8').catch(() => null);
  if (text === null) throw new BackupError('This is no backup of this site: it has no manifest.');
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw new BackupError('The manifest of this backup is damaged.');
  }
  const parsed = manifestModel.safeParse(content);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new BackupError(`The manifest of this backup is damaged at ${issue?.path.join('.')}.`);
  }
  return parsed.data;
}

async function checkFiles(manifest: Manifest, folder: string): Promise<void> {
  const parts = [
    ...manifest.tables.map(({ name, sha256 }) => ({ path: join('tables', name), sha256 })),
    ...manifest.files.map(({ sha256 }) => ({ path: join('files', sha256), sha256 })),
  ];
  for (const { path, sha256 } of parts) {
    const digest = createHash('sha256');
    try {
      for await (const chunk of createReadStream(join(folder, path))) digest.update(chunk as Buffer);
    } catch {
      throw new BackupError(`The backup is incomplete: it lacks ${path}.`);
    }
    if (digest.digest('hex') !== sha256) throw new BackupError(`The backup is damaged: ${path} has changed.`);
  }
}

async function migrationsOf(manifest: Manifest, folder: string): Promise<string> {
  const journal = readJournal();
  const wanted = new Set(manifest.migrations);
  const isBeforeFirst = !manifest.migrations[0]!.startsWith(FIRST_MIGRATION);
  if (isBeforeFirst && !wanted.has(LAST_BEFORE_FIRST)) {
    throw new BackupError(
      `This backup was made before the migration ${LAST_BEFORE_FIRST}: restore it with a version that has that one, and back it up again. Nothing was changed.`,
    );
  }
  const entries = journal.entries.filter(({ tag }) =>
    isBeforeFirst ? tag.startsWith(FIRST_MIGRATION) : wanted.has(tag),
  );
  if (!isBeforeFirst && entries.length !== wanted.size) {
    throw new BackupError(
      'This backup was made by a newer version: restore it with that one. Nothing was changed.',
    );
  }
  const target = join(folder, 'migrations');
  await cp(MIGRATIONS_FOLDER, target, { recursive: true, force: true });
  await writeFile(join(target, 'meta/_journal.json'), JSON.stringify({ ...journal, entries }));
  return target;
}

async function inReferenceOrder(sql: postgres.ISql, names: readonly string[]): Promise<string[]> {
  const references = await sql<{ from: string; to: string }[]>`
    select f.relname as "from", t.relname as "to" from pg_constraint c
    join pg_class f on f.oid = c.conrelid join pg_class t on t.oid = c.confrelid
    where c.contype = 'f' and c.connamespace = 'public'::regnamespace and f.oid <> t.oid`;
  const order: string[] = [];
  const visit = (name: string, path: readonly string[]) => {
    if (order.includes(name)) return;
    if (path.includes(name))
      throw new BackupError(`Tables refer to each other: ${[...path, name].join(', ')}`);
    for (const { to } of references.filter(({ from }) => from === name)) visit(to, [...path, name]);
    order.push(name);
  };
  for (const name of names) visit(name, []);
  return order.filter((name) => names.includes(name));
}

async function loadTables(sql: postgres.ISql, manifest: Manifest, folder: string): Promise<void> {
  const present = new Set((await listTables(sql)).map(({ name }) => name));
  const missing = manifest.tables.find(({ name }) => !present.has(name));
  if (missing) throw new BackupError(`The database has no table ${missing.name}.`);
  const byName = new Map(manifest.tables.map((table) => [table.name, table]));
  const order = await inReferenceOrder(sql, [...byName.keys()]);
  await sql.unsafe(`truncate ${[...present].map((name) => `public.${quoted(name)}`).join(', ')}`);
  for (const name of order) {
    const { columns, rows, sha256 } = byName.get(name)!;
    const table = `public.${quoted(name)}`;
    // Guards on changes would take the rows for new ones.
    await sql.unsafe(`alter table ${table} disable trigger user`);
    const into = await sql.unsafe(`copy ${table} (${columnList(columns)}) from stdin`).writable();
    await pipeline(createReadStream(join(folder, 'tables', name)), into);
    await sql.unsafe(`alter table ${table} enable trigger user`);
    const { through, digest, lines } = measured();
    const back = await sql.unsafe(`copy ${table} (${columnList(columns)}) to stdout`).readable();
    await pipeline(back, through.resume());
    if (lines() !== rows || digest.digest('hex') !== sha256) {
      throw new BackupError(
        `The rows of ${name} are not the same after they were loaded: nothing was changed.`,
      );
    }
  }
  for (const { name, lastValue } of manifest.sequences) {
    if (lastValue === null) continue;
    await sql`select setval(${`public.${quoted(name)}`}::regclass, ${lastValue}::bigint)`;
  }
}
