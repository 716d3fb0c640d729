import { parseArgs } from 'node:util';
import { BackupError, type BackupSummary, writeBackup } from '#db/backup.ts';
import { forgetRestoreNote, hasRestoreNote, noteRestore, refuseMarkedDatabase } from '#db/migrate.ts';
import {
  abandonRestore,
  forgetKept,
  putBack,
  restoreBackup,
  sweepUnpacked,
  type UnpackedBackup,
  unpackBackup,
} from '#db/restore.ts';
import { fileStore } from '#src/server/files/files.ts';
import { reasonInOneLine } from '#src/server/loggable-error.ts';
import { env } from '#src/server/start/env.ts';
import { rehearse } from './rehearse.ts';
import {
  actAsOwner,
  callersPath,
  type DatabaseNeed,
  hasDatabase,
  isExplained,
  tellFailure,
  UsageError,
  withDatabase,
} from './with-database.ts';

const USAGE = `Usage: npm run backup -- [FILE] [--force]   writes the whole site into FILE, backups/<time>.tar.gz in the data folder unless told;
                                            --force overwrites a file
       npm run rehearse -- FILE             restores it into a database of its own beside the site, says what an upgrade would do, and removes it
       npm run restore -- FILE [--replace]  restores it; with --replace what the database has is set aside
       npm run restore -- --undo            puts what the last restore set aside back, and sets that restore's content aside
       npm run restore -- --forget          removes what the last restore set aside
       npm run restore -- --abandon         goes on with what was there before a restore that was interrupted`;

const MORE = 'With --help you see what there is.';

interface Asked {
  action: 'write' | 'rehearse' | 'restore' | 'undo' | 'forget' | 'abandon';
  file: string | null;
  overwrites: boolean;
}

const FLAGS = {
  write: ['force'],
  rehearse: [],
  restore: ['replace', 'undo', 'forget', 'abandon'],
} as const;

function readCommand(): Asked {
  const command = process.argv[2] as keyof typeof FLAGS;
  const options = Object.fromEntries(
    [...(FLAGS[command] ?? []), 'help'].map((name) => [name, { type: 'boolean' as const }]),
  );
  try {
    const { positionals, values } = parseArgs({
      args: process.argv.slice(3),
      allowPositionals: true,
      options,
    });
    const file = positionals[0] ? callersPath(positionals[0]) : null;
    if (values.help) {
      console.log(USAGE);
      process.exit(0);
    }
    const [flag, ...more] = Object.keys(values);
    const overwrites = flag === 'force' || flag === 'replace';
    const action = flag && !overwrites ? (flag as Asked['action']) : command;
    const takesFile = action === command;
    const needsFile = takesFile && action !== 'write';
    if (
      command in FLAGS &&
      positionals.length <= (takesFile ? 1 : 0) &&
      more.length === 0 &&
      (file || !needsFile)
    ) {
      return { action, file, overwrites };
    }
    if (needsFile && !file) throw new UsageError(`Name the file of a backup. ${MORE}`);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    // The first sentence names the option.
    throw new UsageError(`${(error as Error).message.split('. ')[0]}. ${MORE}`);
  }
  throw new UsageError(USAGE);
}

const said = ({ tables, rows, files, bytes }: BackupSummary) =>
  `${tables} tables with ${rows} rows and ${files} files (${Math.ceil(bytes / 1024)} KB)`;

async function write(url: string, { file, overwrites }: Asked): Promise<string> {
  const name = `${new Date().toISOString().slice(0, 19).replace(/[:T]/g, '-')}.tar.gz`;
  const out = file ?? `${env().dataDir}/backups/${name}`;
  return `Wrote ${said(await writeBackup({ url, store: fileStore(), out, overwrites }))} to ${out}`;
}

async function restore(url: string, backup: UnpackedBackup, replace: boolean): Promise<string> {
  const restored = await restoreBackup({
    url,
    store: fileStore(),
    backup,
    replace,
    // From here on the database knows by itself whether the restore was interrupted or has come to its end.
    onMarked: () => forgetRestoreNote(env().dataDir),
  });
  const migrated = restored.migrated > 0 ? ` and applied ${restored.migrated} newer migration(s)` : '';
  const kept = restored.kept
    ? `\nWhat was there before is set aside as ${restored.kept} until the next restore: "npm run restore -- --undo" puts it back, "-- --forget" removes it.`
    : '';
  return `Restored ${said(restored)} as of ${restored.createdAt}${migrated}. Every row was compared.${kept}`;
}

async function carryOut(
  url: string,
  asked: Asked,
  backup: UnpackedBackup | null,
  wasNoted: boolean,
): Promise<string> {
  // A restore takes the mark away itself; these would hide it.
  if (asked.action === 'undo' || asked.action === 'forget') await refuseMarkedDatabase(url);
  else if (asked.action !== 'restore' && asked.action !== 'abandon') {
    await refuseMarkedDatabase(url).catch((error: Error) => console.error(error.message));
  }
  switch (asked.action) {
    case 'write':
      return write(url, asked);
    case 'rehearse':
      return rehearse(url, backup!);
    case 'restore':
      return restore(url, backup!, asked.overwrites);
    case 'undo': {
      const aside = await putBack(url);
      return `What was set aside is in place again.${aside ? ` What was in its place until now is set aside as ${aside}.` : ''}`;
    }
    case 'forget': {
      const gone = await forgetKept(url);
      return gone ? `Removed ${gone}.` : 'Nothing was kept.';
    }
    case 'abandon':
      return (await abandonRestore(url)) || wasNoted
        ? 'The site goes on with what is there.'
        : 'No restore was interrupted.';
  }
}

function inOneLine(error: unknown): unknown {
  if (error instanceof BackupError) return new UsageError(error.message);
  if (isExplained(error) || env().logLevel === 'debug') return error;
  const reason = reasonInOneLine(error).replace(/\.?$/, '');
  return new UsageError(
    `It failed, and nothing was changed: ${reason}. LOG_LEVEL=debug shows where; "npm run rehearse -- FILE" tries a backup beside the site.`,
  );
}

const NEEDS: Record<Asked['action'], DatabaseNeed> = {
  // Before an upgrade, too: of a database that this version has not yet brought up to date.
  write: 'present',
  rehearse: 'present',
  restore: 'nothing',
  undo: 'present',
  forget: 'present',
  abandon: 'present',
};

async function run(): Promise<void> {
  const asked = readCommand();
  const { dataDir } = env();
  actAsOwner(dataDir);
  const wasNoted = hasRestoreNote(dataDir);
  if (asked.action === 'abandon') {
    await forgetRestoreNote(dataDir);
    await sweepUnpacked(dataDir);
    if (!hasDatabase()) return console.log('There is no database yet: the next start makes one.');
  }
  const reads = asked.action === 'restore' || asked.action === 'rehearse';
  // Looked at before a database is started, or made, for it.
  const backup = reads ? await unpackBackup(asked.file!, dataDir) : null;
  try {
    // A database that is made now and left empty by a kill must not be taken for a new site.
    if (asked.action === 'restore') await noteRestore(dataDir, backup!.name);
    await withDatabase(
      (url) =>
        carryOut(url, asked, backup, wasNoted).catch((error: unknown) => {
          throw inOneLine(error);
        }),
      { needs: NEEDS[asked.action] },
    );
  } finally {
    await backup?.remove();
    if (asked.action === 'restore') await forgetRestoreNote(dataDir);
  }
}

await run().catch((error: unknown) => {
  tellFailure(inOneLine(error));
  process.exitCode = 1;
});
