import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import postgres from 'postgres';
import { BackupError } from './backup.ts';
import type { FileStore } from './file-store.ts';
import { type Restored, restoreBackup, type UnpackedBackup, unpackBackup } from './restore.ts';

const NAME = 'rehearsal_';
/** Marks a database that may be removed; the lock below holds for rehearsals of one site's database alone. */
const ours = async (site: postgres.Sql) => {
  const [own] = await site<{ name: string }[]>`select current_database() as name`;
  return `made by a rehearsal of a backup of ${own!.name.replaceAll("'", '')}`;
};

// Any constant will do that no other lock of the site has.
const REHEARSAL_LOCK = 727_106_009;

const NO_FILES: FileStore = {
  put: async () => {},
  size: async () => null,
  read: async () => Readable.from([]),
  remove: async () => {},
  check: async () => {},
};

/** Restores into a database of its own, which is removed afterwards. @throws {BackupError} */
export async function restoreBeside<T>(
  url: string,
  backup: UnpackedBackup,
  look: (restored: Restored, site: postgres.Sql, own: string) => Promise<T>,
): Promise<T> {
  const site = postgres(url, { max: 1, onnotice: () => {} });
  const name = `${NAME}${process.pid}_${randomBytes(4).toString('hex')}`;
  try {
    // Another's leftovers exist only when it has ended.
    const [lock] = await site<{ taken: boolean }[]>`select pg_try_advisory_lock(${REHEARSAL_LOCK}) as taken`;
    if (!lock!.taken)
      throw new BackupError('Another rehearsal is under way on this server: wait until it has ended.');
    const mark = await ours(site);
    await removeLeftOvers(site, mark);
    await site.unsafe(`create database ${name} template template0`).catch((error: { code?: string }) => {
      if (error.code !== '42501') throw error;
      const role = site.options.user;
      throw new BackupError(
        `The role ${role} may not create the database to rehearse in: "ALTER ROLE ${role} CREATEDB" by a superuser allows it.`,
      );
    });
    await site.unsafe(`comment on database ${name} is '${mark}'`);
    const own = new URL(url);
    own.pathname = `/${name}`;
    return await look(await restoreBackup({ url: own.href, store: NO_FILES, backup }), site, own.href);
  } finally {
    await site.unsafe(`drop database if exists ${name} with (force)`).catch((error: Error) => {
      console.error(`The database ${name} is left, with everything of the backup in it: ${error.message}`);
    });
    await site.end({ timeout: 1 });
  }
}

/** Proves that an archive can be restored, rows and files. @throws {BackupError} */
export async function verifyBackup(url: string, file: string, dataDir: string): Promise<void> {
  const backup = await unpackBackup(file, dataDir);
  await restoreBeside(url, backup, async () => {}).finally(() => backup.remove());
}

async function removeLeftOvers(site: postgres.Sql, mark: string): Promise<void> {
  const names = await site<{ name: string }[]>`
    select datname as name from pg_database d
    where datname ~ ${`^${NAME}[0-9]+_[0-9a-f]{8}$`} and shobj_description(d.oid, 'pg_database') = ${mark}
      and not exists (select from pg_stat_activity a where a.datid = d.oid)`;
  for (const { name } of names) await site.unsafe(`drop database if exists "${name}"`).catch(() => {});
}
