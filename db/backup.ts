import { createHash, type Hash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { cp, mkdir, mkdtemp, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type postgres from 'postgres';
import { create, extract } from 'tar';
import { z } from 'zod';
import { BACKUP_DRAFT, type FileStore } from './file-store.ts';
import { MIGRATIONS_FOLDER, migrateDatabase, readJournal, withDatabaseLock } from './migrate.ts';

/** A backup that cannot be made, or one that cannot be restored; the message is for the operator. */
export class BackupError extends Error {
  override name = 'BackupError';
}

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const identifier = z.string().regex(/^[a-z_][a-z0-9_]*$/);

const manifestModel = z.object({
  format: z.literal(1),
  createdAt: z.iso.datetime(),
  postgres: z.string(),
  /** Names of the applied migrations, oldest first. */
  migrations: z.array(z.string()).min(1),
  tables: z.array(
    z.object({ name: identifier, columns: z.array(identifier).min(1), rows: z.number().int(), sha256 }),
  ),
  sequences: z.array(z.object({ name: identifier, lastValue: z.string().regex(/^\d+$/).nullable() })),
  files: z.array(z.object({ sha256, size: z.number().int().min(0) })),
});
type Manifest = z.output<typeof manifestModel>;

/** What a backup holds, for the operator. */
export type BackupSummary = { tables: number; rows: number; files: number; bytes: number; createdAt: string };

/** The folder of the first migration's files. */
const FIRST_MIGRATION = '0000_first/';
/** The newest migration before the first one of today; both lead to the same tables. */
const LAST_BEFORE_FIRST = '0028_order_flags';

const quoted = (name: string) => `"${identifier.parse(name)}"`;
const columnList = (columns: readonly string[]) => columns.map(quoted).join(', ');

/** Settings under which a value has one spelling, so that what is read back can be compared with what was written. */
const PLAIN_SPELLING = [
  `set local timezone = 'UTC'`,
  `set local datestyle = 'ISO, YMD'`,
  `set local intervalstyle = 'postgres'`,
  `set local bytea_output = 'hex'`,
  'set local extra_float_digits = 1',
  'set local statement_timeout = 0',
  'set local idle_in_transaction_session_timeout = 0',
];

const summaryOf = (manifest: Manifest, bytes: number): BackupSummary => ({
  tables: manifest.tables.length,
  rows: manifest.tables.reduce((sum, table) => sum + table.rows, 0),
  files: manifest.files.length,
  bytes,
  createdAt: manifest.createdAt,
});

/** Passes bytes on, and tells their digest and the number of lines: in COPY's text each row is one. */
function measured(): { through: Transform; digest: Hash; lines: () => number } {
  const digest = createHash('sha256');
  let lines = 0;
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      digest.update(chunk);
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1;
      done(null, chunk);
    },
  });
  return { through, digest, lines: () => lines };
}

async function listTables(sql: postgres.Sql): Promise<{ name: string; columns: string[] }[]> {
  return sql<{ name: string; columns: string[] }[]>`
    select t.relname as name, array_agg(c.attname::text order by c.attnum) as columns
    from pg_class t
    join pg_attribute c on c.attrelid = t.oid and c.attnum > 0 and not c.attisdropped and c.attgenerated = ''
    where t.relnamespace = 'public'::regnamespace and t.relkind = 'r'
    group by t.relname order by t.relname`;
}

/** Tables so that each stands behind those it refers to. */
async function inReferenceOrder(sql: postgres.Sql, names: readonly string[]): Promise<string[]> {
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

/**
 * Writes the whole site into one file: every table as it was at one moment, and every stored file. The background
 * queue is not in it: what is due is found again from the tables.
 *
 * @param out path of the archive; it appears there when it is complete
 * @throws {BackupError} where a stored file is missing, or the database has migrations that this code does not know
 */
export async function writeBackup({
  url,
  store,
  out,
}: {
  url: string;
  store: FileStore;
  out: string;
}): Promise<BackupSummary> {
  const target = resolve(out);
  await mkdir(dirname(target), { recursive: true });
  const folder = await mkdtemp(join(dirname(target), BACKUP_DRAFT));
  try {
    await mkdir(join(folder, 'tables'));
    await mkdir(join(folder, 'files'));
    // The lock keeps a migration from changing the tables meanwhile.
    const manifest = await withDatabaseLock(
      url,
      (client) =>
        client.begin('isolation level repeatable read read only', (tx) =>
          readEverything(tx as unknown as postgres.Sql, folder),
        ) as Promise<Manifest>,
    );
    for (const file of manifest.files) await readFileBytes(store, file, join(folder, 'files', file.sha256));
    await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest, null, 1));
    const draft = join(folder, 'archive.tar.gz');
    await create({ file: draft, cwd: folder, gzip: { level: 6 }, portable: true }, [
      'manifest.json',
      'tables',
      'files',
    ]);
    const handle = await open(draft, 'r+');
    // It holds everything that the database does: password hashes, addresses and the site's own secrets.
    await handle.chmod(0o600);
    await handle.sync();
    await handle.close();
    await rename(draft, target);
    return summaryOf(manifest, (await stat(target)).size);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function readEverything(sql: postgres.Sql, folder: string): Promise<Manifest> {
  for (const setting of PLAIN_SPELLING) await sql.unsafe(setting);
  const [server] = await sql<
    { version: string; now: Date }[]
  >`select current_setting('server_version') as version, now() as now`;
  const tables: Manifest['tables'] = [];
  for (const { name, columns } of await listTables(sql)) {
    const { through, digest, lines } = measured();
    const rows = await sql
      .unsafe(`copy public.${quoted(name)} (${columnList(columns)}) to stdout`)
      .readable();
    await pipeline(rows, through, createWriteStream(join(folder, 'tables', name)));
    tables.push({ name, columns, rows: lines(), sha256: digest.digest('hex') });
  }
  const sequences = await sql<{ name: string; lastValue: string | null }[]>`
    select sequencename as name, last_value::text as "lastValue" from pg_sequences
    where schemaname = 'public' order by 1`;
  const files = await sql<{ sha256: string; size: number }[]>`
    select sha256, max(size) as size from stored_files group by sha256 order by sha256`;
  const applied = await sql<{ at: string }[]>`
    select created_at::text as at from drizzle.__drizzle_migrations order by created_at`;
  const known = new Map(readJournal().entries.map(({ tag, when }) => [String(when), tag]));
  const migrations = applied.map(({ at }) => {
    const tag = known.get(at);
    if (!tag)
      throw new BackupError(
        'The database has migrations that this version does not know: use the version that made them.',
      );
    return tag;
  });
  return {
    format: 1,
    createdAt: server!.now.toISOString(),
    postgres: server!.version,
    migrations,
    tables,
    sequences: [...sequences],
    files: [...files],
  };
}

async function readFileBytes(store: FileStore, file: Manifest['files'][number], to: string): Promise<void> {
  if ((await store.size(file.sha256)) !== file.size) {
    throw new BackupError(`The stored file ${file.sha256} is missing or incomplete: nothing was written.`);
  }
  if (file.size === 0) return writeFile(to, '');
  const { through, digest } = measured();
  await pipeline(
    await store.read(file.sha256, { start: 0, end: file.size - 1 }),
    through,
    createWriteStream(to),
  );
  if (digest.digest('hex') !== file.sha256) {
    throw new BackupError(`The stored file ${file.sha256} is damaged: nothing was written.`);
  }
}

/** An archive that was unpacked and found whole. */
export interface UnpackedBackup {
  folder: string;
  manifest: Manifest;
  /** Of the archive. */
  bytes: number;
  remove: () => Promise<void>;
}

/**
 * Unpacks a backup and checks every part of it; no database is needed for that.
 *
 * @throws {BackupError} for a file that is no backup, or a damaged one; then nothing is left behind
 */
export async function unpackBackup(file: string): Promise<UnpackedBackup> {
  const info = await stat(file).catch(() => null);
  if (!info?.isFile()) throw new BackupError(`There is no file ${file}.`);
  const folder = await mkdtemp(join(tmpdir(), 'restore-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    await unpack(file, folder);
    const manifest = await readManifest(folder);
    await checkFiles(manifest, folder);
    return { folder, manifest, bytes: info.size, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/**
 * Restores a backup into a database and a file store, brings the tables up to this version, and proves that every row
 * is as it was written. Either all of it is in place afterwards or the database is as it was before; with `replace` on
 * a database that had something, it is empty after a failure.
 *
 * @param backup the archive's path, or what was unpacked of it already; that is removed
 * @param replace empties a database that has tables already; without it such a one is refused
 * @throws {BackupError} for a file that is no backup, is damaged, or comes from a newer version
 */
export async function restoreBackup({
  url,
  store,
  backup,
  replace = false,
}: {
  url: string;
  store: FileStore;
  backup: string | UnpackedBackup;
  replace?: boolean;
}): Promise<BackupSummary & { migrated: number }> {
  const unpacked = typeof backup === 'string' ? await unpackBackup(backup) : backup;
  const { folder, manifest, bytes } = unpacked;
  try {
    await prepareDatabase(url, replace);
    await migrateDatabase(url, await migrationsOf(manifest, folder));
    await withDatabaseLock(url, (client) =>
      client.begin((tx) => loadTables(tx as unknown as postgres.Sql, manifest, folder)),
    );
    for (const stored of manifest.files) {
      await store.put(stored.sha256, { file: join(folder, 'files', stored.sha256) }, stored.size);
    }
    return { ...summaryOf(manifest, bytes), migrated: await migrateDatabase(url) };
  } finally {
    await unpacked.remove();
  }
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
    throw new BackupError(`${basename(file)} cannot be read: ${(error as Error).message}`);
  }
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

async function prepareDatabase(url: string, replace: boolean): Promise<void> {
  await withDatabaseLock(url, async (client) => {
    const [found] = await client<{ tables: number }[]>`
      select count(*)::int as tables from pg_class
      where relnamespace = to_regnamespace('public') and relkind = 'r'`;
    if (found!.tables === 0) return;
    const [site] = await client<{ count: number }[]>`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and application_name in ('academy', 'academy-jobs')`;
    if (replace && site!.count > 0) {
      throw new BackupError('The site is running on this database: stop it before restoring.');
    }
    if (!replace) {
      throw new BackupError(
        'The database has tables already. Restore with --replace to throw its content away.',
      );
    }
    await client.begin(async (tx) => {
      await tx`drop schema if exists pgboss cascade`;
      await tx`drop schema if exists drizzle cascade`;
      await tx`drop schema public cascade`;
      await tx`create schema public`;
    });
  });
}

/** A folder with the migrations that the backup had, from this copy of the code. */
async function migrationsOf(manifest: Manifest, folder: string): Promise<string> {
  const journal = readJournal();
  const wanted = new Set(manifest.migrations);
  const isBeforeFirst = !manifest.migrations[0]!.startsWith(FIRST_MIGRATION);
  if (isBeforeFirst && !wanted.has(LAST_BEFORE_FIRST)) {
    throw new BackupError(
      `This backup was made before the migration ${LAST_BEFORE_FIRST}: restore it with a version that has that one, and back it up again.`,
    );
  }
  const entries = journal.entries.filter(({ tag }) =>
    isBeforeFirst ? tag.startsWith(FIRST_MIGRATION) : wanted.has(tag),
  );
  if (!isBeforeFirst && entries.length !== wanted.size) {
    throw new BackupError('This backup was made by a newer version: restore it with that one.');
  }
  const target = join(folder, 'migrations');
  await cp(MIGRATIONS_FOLDER, target, { recursive: true });
  await writeFile(join(target, 'meta/_journal.json'), JSON.stringify({ ...journal, entries }));
  return target;
}

async function loadTables(sql: postgres.Sql, manifest: Manifest, folder: string): Promise<void> {
  for (const setting of PLAIN_SPELLING) await sql.unsafe(setting);
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
