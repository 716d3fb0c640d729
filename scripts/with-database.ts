import { closeDatabase, connectDatabase } from '#db/client.ts';
import { EmbeddedPostgresError, startEmbeddedPostgres } from '#db/embedded.ts';
import { FileStoreError } from '#db/file-store.ts';
import { OldDatabaseError } from '#db/migrate.ts';
import { UnfitDatabaseError } from '#db/rights.ts';
import { isPassingDatabaseError } from '#src/server/database-errors.ts';
import { ConfigurationError, env } from '#src/server/start/env.ts';
import { stopJobs } from '#src/server/jobs.ts';
import { loggableError, reasonInOneLine } from '#src/server/loggable-error.ts';
import { AppError } from '#src/shared/errors.ts';

/** A mistake of whoever runs a command: one line, no stack. */
export class UsageError extends Error {}

/**
 * Runs a command on the configured database: `DATABASE_URL`, or the embedded server, which is started for the command
 * where the site is not running. Mistakes end the process with one line and exit code 1.
 *
 * @param command gets the address, with the shared connection open, and gives what to print
 */
export async function withDatabase(command: (url: string) => Promise<string>): Promise<void> {
  try {
    const { databaseUrl, dataDir } = env();
    const embedded = databaseUrl ? null : await startEmbeddedPostgres({ dataDir });
    const url = databaseUrl ?? embedded!.url;
    process.env.DATABASE_URL = url;
    connectDatabase(url, { max: 2 });
    try {
      console.log(await command(url));
    } finally {
      // Mails that the command queued have a connection of their own, which would keep the process alive.
      await stopJobs(1);
      await closeDatabase();
      await embedded?.stop();
    }
  } catch (error) {
    const expected = [
      UsageError,
      AppError,
      ConfigurationError,
      EmbeddedPostgresError,
      FileStoreError,
      OldDatabaseError,
      UnfitDatabaseError,
    ].some((kind) => error instanceof kind);
    if (expected) console.error((error as Error).message);
    else console.error(isPassingDatabaseError(error) ? reasonInOneLine(error) : loggableError(error));
    process.exitCode = 1;
  }
}
