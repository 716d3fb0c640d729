import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import postgres from 'postgres';
import { BackupError } from '#db/backup.ts';
import { closeDatabase, connectDatabase } from '#db/client.ts';
import type { FileStore } from '#db/file-store.ts';
import { readJournal } from '#db/migrate.ts';
import { restoreBackup, type UnpackedBackup } from '#db/restore.ts';
import { checkReconciliation } from '#src/features/store/reconciliation/compare-records.server.ts';
import { formatCents } from '#src/shared/money.ts';

const NAME = 'rehearsal_';
/** Said of a database that a rehearsal has made, so that none of somebody else's is taken for one. */
const OURS = 'made by a rehearsal of a backup';

// Any constant will do that no other lock of the site has.
const REHEARSAL_LOCK = 727_106_009;

/** Takes no file: their digests were compared when the archive was unpacked. */
const NO_FILES: FileStore = {
  put: async () => {},
  size: async () => null,
  read: async () => Readable.from([]),
  remove: async () => {},
  check: async () => {},
};

/**
 * Restores a backup into a database of its own on the same server, brings it up to this version, and compares it with
 * what the site has now. The site may run meanwhile; nothing of it is changed, and the other database is removed.
 *
 * @param url of the site's database
 * @returns what an upgrade with this backup would do, for the operator
 * @throws {BackupError} where the role may not create databases, or the backup cannot be restored
 */
export async function rehearse(url: string, backup: UnpackedBackup): Promise<string> {
  const site = postgres(url, { max: 1, onnotice: () => {} });
  const name = `${NAME}${process.pid}_${randomBytes(4).toString('hex')}`;
  try {
    // One at a time: what another one has made is left over only when it has ended.
    const [lock] = await site<{ taken: boolean }[]>`select pg_try_advisory_lock(${REHEARSAL_LOCK}) as taken`;
    if (!lock!.taken)
      throw new BackupError('Another rehearsal is under way on this server: wait until it has ended.');
    await removeLeftOvers(site);
    await site.unsafe(`create database ${name} template template0`).catch((error: { code?: string }) => {
      if (error.code !== '42501') throw error;
      throw new BackupError(
        'The database\'s role may not create another one to rehearse in: allow it with "alter role NAME createdb".',
      );
    });
    await site.unsafe(`comment on database ${name} is '${OURS}'`);
    const own = new URL(url);
    own.pathname = `/${name}`;
    const { manifest } = backup;
    const began = performance.now();
    const restored = await restoreBackup({ url: own.href, store: NO_FILES, backup });
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    const has = new Set(manifest.migrations);
    // The migrations before the first one of today lead to the same tables as that one.
    const applied = readJournal()
      .entries.map(({ tag }) => tag)
      .filter((tag) => !has.has(tag))
      .slice(-restored.migrated);
    return [
      `The backup of ${manifest.createdAt} was restored in ${seconds} s: ${manifest.tables.length} tables, ${restored.rows} rows, ${restored.files} files. Every row was compared.`,
      restored.migrated === 0
        ? 'This version has no newer migrations: an upgrade would not change the database.'
        : `An upgrade would apply ${restored.migrated} migration(s): ${applied.join(', ')}.`,
      ...(await compareRows(site, manifest.tables)),
      ...(await checkBooks(own.href)),
      'Nothing of the site was changed.',
    ].join('\n');
  } finally {
    await site.unsafe(`drop database if exists ${name} with (force)`).catch((error: Error) => {
      console.error(`The database ${name} is left, with everything of the backup in it: ${error.message}`);
    });
    await site.end({ timeout: 1 });
  }
}

/** Removes databases of rehearsals that were killed: those that nobody is connected to. */
async function removeLeftOvers(site: postgres.Sql): Promise<void> {
  const names = await site<{ name: string }[]>`
    select datname as name from pg_database d
    where datname ~ ${`^${NAME}[0-9]+_[0-9a-f]{8}$`} and shobj_description(d.oid, 'pg_database') = ${OURS}
      and not exists (select from pg_stat_activity a where a.datid = d.oid)`;
  for (const { name } of names) await site.unsafe(`drop database if exists "${name}"`).catch(() => {});
}

/** Lines about the tables whose rows are more or fewer in the site's database than in the backup. */
async function compareRows(
  site: postgres.Sql,
  tables: UnpackedBackup['manifest']['tables'],
): Promise<string[]> {
  const different: string[] = [];
  for (const { name, rows } of tables) {
    const [table] = await site`select to_regclass(${`public.${name}`}) is not null as present`;
    const [now] = table!.present
      ? await site.unsafe(`select count(*)::int as rows from public."${name}"`)
      : [];
    if (now && now.rows !== rows) different.push(`  ${name}: ${rows} in the backup, ${now.rows} now`);
  }
  return different.length === 0
    ? ['The site has as many rows in every table now as the backup has.']
    : ['The site has other rows now than the backup:', ...different];
}

/** Lines about orders and ledger of the restored database; the provider is not asked. */
async function checkBooks(url: string): Promise<string[]> {
  await closeDatabase();
  connectDatabase(url, { max: 2 });
  try {
    const { orderCount, totals, disagreements } = await checkReconciliation({ asksProvider: false });
    const { ordersCents, ledgerCents } = totals.received;
    return [
      `Books of ${orderCount} completed orders: orders ${formatCents(ordersCents)}, ledger ${formatCents(ledgerCents)}.`,
      ...(disagreements.length === 0
        ? ['Orders and ledger agree to the cent.']
        : ['Orders and ledger DISAGREE:', ...disagreements.map(({ message }) => `  ${message}`)]),
    ];
  } finally {
    await closeDatabase();
  }
}
