import { writeBackup } from '#db/backup.ts';
import { verifyBackup } from '#db/scratch.ts';
import { env } from '#src/server/start/env.ts';
import { fileStore } from '#src/server/files/files.ts';
import { reasonInOneLine } from '#src/server/loggable-error.ts';

// Writes a backup in a process of its own, beside a site: what it holds in memory is not the site's. Its first argument is
// the archive's path, a second one has it verified. It says in one line what failed: by 1 no archive was written, by 2 the
// one that was cannot be restored.
const [out, verifies] = process.argv.slice(2);
const { databaseUrl, dataDir } = env();
let failed = 1;
try {
  await writeBackup({ url: databaseUrl!, store: fileStore(), out: out! });
  failed = 2;
  if (verifies) await verifyBackup(databaseUrl!, out!, dataDir);
  process.exit(0);
} catch (error) {
  console.error(reasonInOneLine(error));
  process.exit(failed);
}
