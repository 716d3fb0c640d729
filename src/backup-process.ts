import { writeBackup } from '#db/backup.ts';
import { env } from '#src/server/start/env.ts';
import { fileStore } from '#src/server/files/files.ts';
import { reasonInOneLine } from '#src/server/loggable-error.ts';

// Writes a backup in a process of its own, beside a site: what it holds in memory is not the site's. Its one argument is
// the archive's path; it says in one line why it could not.
try {
  await writeBackup({ url: env().databaseUrl!, store: fileStore(), out: process.argv[2]! });
  process.exit(0);
} catch (error) {
  console.error(reasonInOneLine(error));
  process.exit(1);
}
