import { migrateDatabase } from '#db/migrate.ts';
import { SeedError, seedDemo } from '#src/features/authoring/transfer/demo-courses.server.ts';
import { UsageError, withDatabase } from './with-database.ts';

const USAGE = `Usage: npm run db:migrate   brings the database up to date
       npm run db:seed      fills a database without courses with the demo catalogue and accounts`;

function readCommand(): 'migrate' | 'seed' {
  const [command, ...more] = process.argv.slice(2);
  if ((command !== 'migrate' && command !== 'seed') || more.length > 0) throw new UsageError(USAGE);
  return command;
}

async function seedDemoOnce(): Promise<boolean> {
  return seedDemo().catch((error: unknown) => {
    throw error instanceof SeedError
      ? new UsageError(`The demo data has a mistake: ${error.message}`)
      : error;
  });
}

await withDatabase(
  async (url) => {
    const command = readCommand();
    const applied = await migrateDatabase(url);
    if (command === 'migrate') {
      return applied === 0 ? 'The database is up to date.' : `Applied ${applied} migration(s).`;
    }
    return (await seedDemoOnce())
      ? 'The demo catalogue and accounts are in place.'
      : 'The database has courses already; nothing was changed.';
  },
  { needs: process.argv[2] === 'migrate' ? 'nothing' : 'present', reads: readCommand },
);
