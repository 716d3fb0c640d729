import { constants, existsSync, readdirSync, statSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import postgres from 'postgres';
import { closeDatabase, connectDatabase } from '#db/client.ts';
import { EmbeddedPostgresError, startEmbeddedPostgres } from '#db/embedded.ts';
import { FileStoreError } from '#db/file-store.ts';
import {
  NewerDatabaseError,
  OldDatabaseError,
  pendingMigrations,
  refuseUnfinishedRestore,
  UnfinishedRestoreError,
} from '#db/migrate.ts';
import { UnfitDatabaseError } from '#db/rights.ts';
import { siteFacts } from '#src/features/company/site-facts.server.ts';
import { isDiskFull, isPassingDatabaseError } from '#src/server/database-errors.ts';
import { stopJobs } from '#src/server/jobs.ts';
import { isOfSystem, loggableError, reasonInOneLine } from '#src/server/loggable-error.ts';
import { ConfigurationError, env } from '#src/server/start/env.ts';
import { AppError } from '#src/shared/errors.ts';

/** A mistake of whoever runs a command: one line, no stack. */
export class UsageError extends Error {}

/** For the audit log. */
export function operator(): { id: null; name: string } {
  try {
    return { id: null, name: `command line (${userInfo().username})` };
  } catch {
    return { id: null, name: 'command line' };
  }
}

/** A path of the caller: npm changes into the project's folder. */
export const callersPath = (file: string): string =>
  resolve(process.env.npm_lifecycle_event ? (process.env.INIT_CWD ?? '') : '', file);

/**
 * `prepared`: up to date; `present`: of any state; `nothing`: made where there is none. Others refuse, as an
 * empty one in the wrong folder looks like success.
 */
export type DatabaseNeed = 'prepared' | 'present' | 'nothing';

/**
 * Runs a command on `DATABASE_URL` or the embedded server and says on stderr which; mistakes end it with one
 * line and exit code 1.
 */
export async function withDatabase(
  command: (url: string) => Promise<string>,
  { needs = 'prepared', reads }: { needs?: DatabaseNeed; reads?: () => unknown } = {},
): Promise<void> {
  try {
    reads?.();
    const { databaseUrl, dataDir } = env();
    actAsOwner(dataDir);
    if (!databaseUrl) await refuseClosedFolder(dataDir);
    if (needs !== 'nothing' && !hasDatabase()) {
      throw new UsageError(
        `There is no database in ${dataDir}: run the command with the settings of the site (DATABASE_URL or DATA_DIR), or start the site once.`,
      );
    }
    if (needs === 'prepared') await refuseUnfinishedRestore(dataDir);
    const isNew = !hasDatabase();
    const embedded = databaseUrl ? null : await startEmbeddedPostgres({ dataDir });
    const url = databaseUrl ?? embedded!.url;
    process.env.DATABASE_URL = url;
    try {
      console.error(
        `${await describeDatabase(url, databaseUrl ? null : dataDir)}${isNew ? ', made just now' : ''}`,
      );
      if (needs === 'prepared' && (await pendingMigrations(url)).length > 0) {
        throw new UsageError(
          'The database is not prepared yet: start the site once (npm start) or run npm run db:migrate.',
        );
      }
      connectDatabase(url, { max: 2 });
      console.log(await command(url));
    } finally {
      // Mails that the command queued have a connection of their own, which would keep the process alive.
      await stopJobs(1);
      await closeDatabase();
      await embedded?.stop();
    }
  } catch (error) {
    tellFailure(error);
    process.exitCode = 1;
  }
}

/** Whether an error is one whose message is for the person who runs a command. */
export const isExplained = (error: unknown): boolean =>
  [
    UsageError,
    AppError,
    ConfigurationError,
    EmbeddedPostgresError,
    FileStoreError,
    NewerDatabaseError,
    OldDatabaseError,
    UnfinishedRestoreError,
    UnfitDatabaseError,
  ].some((kind) => error instanceof kind);

/** Says in one line why a command failed. */
export function tellFailure(error: unknown): void {
  if (isExplained(error)) console.error((error as Error).message);
  else if (isDiskFull(error) || (error as { code?: string }).code === '53100')
    console.error(`The disk is full: ${reasonInOneLine(error)}`);
  else if (isPassingDatabaseError(error))
    console.error(
      `The database does not answer (${reasonInOneLine(error)}): see whether it runs, and whether DATABASE_URL names it.`,
    );
  else if (isOfSystem(error)) console.error(reasonInOneLine(error));
  else if (process.env.LOG_LEVEL?.trim().toLowerCase() === 'debug') console.error(loggableError(error));
  else
    console.error(`It failed: ${reasonInOneLine(error).replace(/\.?$/, '')}. LOG_LEVEL=debug shows where.`);
}

/** A folder that this user may not enter looks like one without a database. */
async function refuseClosedFolder(dataDir: string): Promise<void> {
  try {
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return;
    throw new UsageError(
      `The data folder ${dataDir} cannot be used by this user (${code}): run the command as the site's own user.`,
    );
  }
}

/** Whether there is a database that a command could work on. */
export function hasDatabase(): boolean {
  const { databaseUrl, dataDir } = env();
  return databaseUrl !== null || existsSync(join(dataDir, 'postgres'));
}

async function describeDatabase(url: string, dataDir: string | null): Promise<string> {
  const client = postgres(url, { max: 1, onnotice: () => {}, connect_timeout: 10 });
  try {
    const [table] = await client`select to_regclass('public.users') is not null as present`;
    const [accounts] = table!.present ? await client`select count(*)::int as count from public.users` : [];
    const { host, pathname } = new URL(url);
    const where = dataDir
      ? `${join(dataDir, 'postgres')} (built in)`
      : `${pathname.slice(1)} on ${host} (DATABASE_URL)`;
    const what = accounts ? `${accounts.count} account${accounts.count === 1 ? '' : 's'}` : 'no accounts yet';
    return `Database: ${where}, of ${(await siteFacts()).name}, ${what}`;
  } finally {
    await client.end({ timeout: 1 });
  }
}

/**
 * A command of root goes on as the owner of the data folder: the site could not write to root's files, and
 * chown could be abused.
 */
export function actAsOwner(dataDir: string): void {
  // What a command writes holds people's data. The embedded server sets the modes that it needs by itself.
  process.umask(0o077);
  if (process.getuid?.() !== 0) return;
  const owner = statSync(dataDir, { throwIfNoEntry: false });
  if (!owner || owner.uid === 0) return;
  const cluster = statSync(join(dataDir, 'postgres'), { throwIfNoEntry: false });
  if (cluster && cluster.uid !== owner.uid) return;
  process.setegid!(owner.gid);
  process.seteuid!(owner.uid);
  let mayRead = true;
  try {
    readdirSync(import.meta.dirname);
  } catch {
    mayRead = false;
  }
  process.seteuid!(0);
  process.setegid!(0);
  if (!mayRead) return;
  process.setgroups!([owner.gid]);
  process.setgid!(owner.gid);
  process.setuid!(owner.uid);
}
