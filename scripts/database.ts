import { parseArgs } from 'node:util';
import { migrateDatabase } from '#db/migrate.ts';
import { SeedError, seedDemo } from '#src/features/authoring/transfer/demo-courses.server.ts';
import { SCALE_COURSES_MAX, seedScale } from '#db/seed-scale.ts';
import { env } from '#src/server/start/env.ts';
import { fileStore } from '#src/server/files/files.ts';
import { UsageError, withDatabase } from './with-database.ts';

const USAGE = `Usage: npm run db:migrate   brings the database up to date
       npm run db:seed      fills a database without courses with the demo catalogue and accounts
       npm run db:seed -- --courses 100000
                            adds generated courses, for tests of scale, until there are so many of them;
                            --on-this-database for a database that is not on this machine`;

function arguments_() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { courses: { type: 'string' }, 'on-this-database': { type: 'boolean', default: false } },
    });
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n${USAGE}`);
  }
}

/** What is asked for; `courses` is null for the demo's own. */
function readCommand(): { command: 'migrate' | 'seed'; courses: number | null; isMeant: boolean } {
  const { positionals, values } = arguments_();
  const [command, ...more] = positionals;
  if (
    (command !== 'migrate' && command !== 'seed') ||
    more.length > 0 ||
    (command === 'migrate' && values.courses !== undefined)
  ) {
    throw new UsageError(USAGE);
  }
  const isMeant = values['on-this-database'];
  if (values.courses === undefined) return { command, courses: null, isMeant };
  const courses = /^\d{1,7}$/.test(values.courses) ? Number(values.courses) : 0;
  if (courses < 1 || courses > SCALE_COURSES_MAX) {
    throw new UsageError(`--courses takes a number from 1 to ${SCALE_COURSES_MAX.toLocaleString('en-US')}.`);
  }
  return { command, courses, isMeant };
}

/** Whether an address names a server of this machine. */
function isLocal(url: string): boolean {
  const { hostname, searchParams } = new URL(url);
  const host = searchParams.get('host') ?? hostname;
  return host === '' || host.startsWith('/') || /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/.test(host);
}

async function seedDemoOnce(): Promise<boolean> {
  return seedDemo({ dataDir: env().dataDir, store: fileStore() }).catch((error: unknown) => {
    throw error instanceof SeedError
      ? new UsageError(`The demo data has a mistake: ${error.message}`)
      : error;
  });
}

await withDatabase(
  async (url) => {
    const { command, courses: wanted, isMeant } = readCommand();
    if (wanted !== null) {
      if (!isLocal(url) && !isMeant) {
        throw new UsageError(
          'The database is not on this machine, and generated courses do not belong among real ones. If you mean it, add --on-this-database.',
        );
      }
      await migrateDatabase(url);
      const added = await seedScale(wanted);
      return added === 0
        ? 'There are so many generated courses already.'
        : `Added ${added} generated courses.`;
    }
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
