import { migrateDatabase } from '#db/migrate.ts';
import { SeedError, seedDemo } from '#db/seed.ts';
import { env } from '#src/server/env.ts';
import { fileStore } from '#src/server/files.ts';
import { UsageError, withDatabase } from './with-database.ts';

const USAGE = `Usage: npm run db:migrate   brings the database up to date
       npm run db:seed      fills a database without courses with the demo catalogue and accounts`;

const command = process.argv[2];
await withDatabase(async (url) => {
  if (command !== 'migrate' && command !== 'seed') throw new UsageError(USAGE);
  const applied = await migrateDatabase(url);
  if (command === 'migrate') {
    return applied === 0 ? 'The database is up to date.' : `Applied ${applied} migration(s).`;
  }
  const seeded = await seedDemo({ dataDir: env().dataDir, store: fileStore() }).catch((error: unknown) => {
    throw error instanceof SeedError
      ? new UsageError(`The demo data has a mistake: ${error.message}`)
      : error;
  });
  return seeded
    ? 'The demo catalogue and accounts are in place.'
    : 'The database has courses already; nothing was changed.';
});
