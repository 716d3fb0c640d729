import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import {
  BackupError,
  type BackupSummary,
  restoreBackup,
  type UnpackedBackup,
  unpackBackup,
  writeBackup,
} from '#db/backup.ts';
import { env } from '#src/server/start/env.ts';
import { fileStore } from '#src/server/files/files.ts';
import { UsageError, withDatabase } from './with-database.ts';

const USAGE = `Usage: npm run backup -- [FILE]               writes the whole site into FILE, backups/<time>.tar.gz in the data folder unless told
       npm run restore -- FILE [--replace]    restores it; --replace throws away what the database has`;

const said = ({ tables, rows, files, bytes }: BackupSummary) =>
  `${tables} tables with ${rows} rows and ${files} files (${Math.ceil(bytes / 1024)} KB)`;

function readCommand(): { file: string | undefined; replace: boolean } {
  try {
    const { positionals, values } = parseArgs({
      args: process.argv.slice(3),
      allowPositionals: true,
      options: { replace: { type: 'boolean' } },
    });
    if (positionals.length <= 1) return { file: positionals[0], replace: values.replace ?? false };
  } catch {
    // An unknown option: the usage says which there are.
  }
  throw new UsageError(USAGE);
}

/** Looks at the archive before a database is started, or made, for it. */
async function readArchive(): Promise<UnpackedBackup | null> {
  try {
    const { file } = readCommand();
    return command === 'restore' && file ? await unpackBackup(file) : null;
  } catch (error) {
    if (!(error instanceof BackupError || error instanceof UsageError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}

const command = process.argv[2];
const backup = await readArchive();
await withDatabase(async (url) => {
  const { file, replace } = readCommand();
  try {
    if (command === 'write' && !replace) {
      const name = `${new Date().toISOString().slice(0, 19).replace(/[:T]/g, '-')}.tar.gz`;
      const out = resolve(file ?? `${env().dataDir}/backups/${name}`);
      return `Wrote ${said(await writeBackup({ url, store: fileStore(), out }))} to ${out}`;
    }
    if (backup) {
      const restored = await restoreBackup({ url, store: fileStore(), backup, replace });
      const migrated = restored.migrated > 0 ? ` and applied ${restored.migrated} newer migration(s)` : '';
      return `Restored ${said(restored)} as of ${restored.createdAt}${migrated}. Every row was compared.`;
    }
  } catch (error) {
    throw error instanceof BackupError ? new UsageError(error.message) : error;
  }
  throw new UsageError(USAGE);
});
