import { createHash, type Hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { link, mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type postgres from 'postgres';
import { create } from 'tar';
import { z } from 'zod';
import { BACKUP_DRAFT, type FileStore } from './file-store.ts';
import { makeOwnFolder, sweepOwnFolders } from './lock-file.ts';
import { readJournal, withDatabaseLock } from './migrate.ts';

export class BackupError extends Error {
  override name = 'BackupError';
}

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const identifier = z.string().regex(/^[a-z_][a-z0-9_]*$/);

export const manifestModel = z.object({
  format: z.literal(1),
  createdAt: z.iso.datetime(),
  postgres: z.string(),
  migrations: z.array(z.string()).min(1),
  tables: z.array(
    z.object({ name: identifier, columns: z.array(identifier).min(1), rows: z.number().int(), sha256 }),
  ),
  sequences: z.array(z.object({ name: identifier, lastValue: z.string().regex(/^\d+$/).nullable() })),
  files: z.array(z.object({ sha256, size: z.number().int().min(0) })),
});
export type Manifest = z.output<typeof manifestModel>;

export type BackupSummary = { tables: number; rows: number; files: number; bytes: number; createdAt: string };

export const quoted = (name: string) => `"${identifier.parse(name)}"`;
export const columnList = (columns: readonly string[]) => columns.map(quoted).join(', ');

/** Each value has one spelling, so that backups can be compared. */
export const PLAIN_SPELLING = [
  `set local timezone = 'UTC'`,
  `set local datestyle = 'ISO, YMD'`,
  `set local intervalstyle = 'postgres'`,
  `set local bytea_output = 'hex'`,
  'set local extra_float_digits = 1',
  'set local statement_timeout = 0',
  'set local idle_in_transaction_session_timeout = 0',
];

export const summaryOf = (manifest: Manifest, bytes: number): BackupSummary => ({
  tables: manifest.tables.length,
  rows: manifest.tables.reduce((sum, table) => sum + table.rows, 0),
  files: manifest.files.length,
  bytes,
  createdAt: manifest.createdAt,
});

/** The digest and the number of lines: one for each row of COPY's text. */
export function measured(): { through: Transform; digest: Hash; lines: () => number } {
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

export async function listTables(sql: postgres.ISql): Promise<{ name: string; columns: string[] }[]> {
  return sql<{ name: string; columns: string[] }[]>`
    select t.relname as name, array_agg(c.attname::text order by c.attnum) as columns
    from pg_class t
    join pg_attribute c on c.attrelid = t.oid and c.attnum > 0 and not c.attisdropped and c.attgenerated = ''
    where t.relnamespace = 'public'::regnamespace and t.relkind = 'r'
    group by t.relname order by t.relname`;
}

/** Writes the site into one file: all tables at one moment, and all stored files. @throws {BackupError} */
export async function writeBackup({
  url,
  store,
  out,
  overwrites = false,
}: {
  url: string;
  store: FileStore;
  out: string;
  overwrites?: boolean;
}): Promise<BackupSummary> {
  const target = resolve(out);
  const present = await stat(target).catch(() => null);
  if (present?.isDirectory()) throw new BackupError(`${target} is a folder: name a file in it.`);
  if (present && !overwrites) throw new BackupError(`${target} exists: --force overwrites it.`);
  let folder: string | undefined;
  try {
    await mkdir(dirname(target), { recursive: true });
    await sweepOwnFolders(dirname(target), BACKUP_DRAFT);
    const drafts = await makeOwnFolder(dirname(target), BACKUP_DRAFT);
    folder = drafts;
    await mkdir(join(drafts, 'tables'));
    await mkdir(join(drafts, 'files'));
    // The lock keeps a migration from changing the tables meanwhile.
    const manifest = await withDatabaseLock(
      url,
      (client) =>
        client.begin('isolation level repeatable read read only', (tx) =>
          readEverything(tx as unknown as postgres.Sql, drafts),
        ) as Promise<Manifest>,
    );
    for (const file of manifest.files) await readFileBytes(store, file, join(drafts, 'files', file.sha256));
    await writeFile(join(drafts, 'manifest.json'), JSON.stringify(manifest, null, 1));
    const draft = join(drafts, 'archive.tar.gz');
    await create({ file: draft, cwd: drafts, gzip: { level: 6 }, portable: true }, [
      'manifest.json',
      'tables',
      'files',
    ]);
    const handle = await open(draft, 'r+');
    // It holds password hashes, addresses and the site's own secrets.
    await handle.chmod(0o600);
    await handle.sync();
    await handle.close();
    if (overwrites) await rename(draft, target);
    else await putInPlace(draft, target);
    return summaryOf(manifest, (await stat(target)).size);
  } catch (error) {
    const { code, message, syscall } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && syscall === 'link')
      throw new BackupError(`${target} exists: --force overwrites it.`);
    if (!syscall) throw error;
    // Node names a folder of ours behind the comma.
    const why = code === 'ENOSPC' ? 'there is no room' : message.replace(/, \w+ '.*$/, '');
    throw new BackupError(`The backup cannot be written to ${target}: ${why}.`);
  } finally {
    if (folder) await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

async function putInPlace(draft: string, target: string): Promise<void> {
  await link(draft, target).catch(async (error: NodeJS.ErrnoException) => {
    // Some file systems know no second name of a file.
    if (error.code === 'EEXIST' || (await stat(target).catch(() => null))) throw error;
    await rename(draft, target);
  });
}

async function readEverything(sql: postgres.Sql, folder: string): Promise<Manifest> {
  const [table] = await sql`select to_regclass('drizzle.__drizzle_migrations') is not null as present`;
  if (!table!.present) {
    throw new BackupError(
      'The database is not prepared yet, so there is nothing to back up: start the site once.',
    );
  }
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
