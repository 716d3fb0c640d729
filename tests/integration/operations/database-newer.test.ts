import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { sqlClient } from '#db/client.ts';
import { migrateDatabase, readJournal } from '#db/migrate.ts';
import { siteHealth } from '#src/features/admin/operations/health.server.ts';
import { databaseOn } from '../../support/database-url.ts';
import { freePort } from '../../support/site.ts';

const root = resolve(import.meta.dirname, '../../..');
const BACKUP = join(root, 'tests/support/backup-before-first-migration.tar.gz');
const { url: serverUrl } = inject('postgres');
const admin = postgres(serverUrl, { max: 1, onnotice: () => {} });
const name = `newer_${randomUUID().replaceAll('-', '')}`;
const url = databaseOn(serverUrl, name);
const newest = readJournal().entries.at(-1)!;
const addUnknown = (sql: postgres.Sql) =>
  sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('of later', ${newest.when + 86_400_000})`;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'academy-newer-'));
  await admin.unsafe(`create database ${name}`);
  await migrateDatabase(url);
  const client = postgres(url, { max: 1, onnotice: () => {} });
  await addUnknown(client);
  await client.end();
});

afterAll(async () => {
  await admin.unsafe(`drop database if exists ${name} with (force)`);
  await admin.end();
  await rm(folder, { recursive: true, force: true });
});

/** Runs one of the project's programs on the newer database. */
async function run(...args: string[]): Promise<{ code: number; output: string }> {
  const env = {
    PORT: String(await freePort()),
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    LOG_LEVEL: 'warn',
    DATABASE_URL: url,
    DATA_DIR: folder,
  };
  return new Promise((done) => {
    execFile(process.execPath, args, { cwd: root, env }, (error, stdout, stderr) =>
      done({
        code: error ? Number(error.code) : 0,
        output: `${stdout}${stderr.replace(/^Database: .*\n/, '')}`.trim(),
      }),
    );
  });
}

it.each([
  ['a start', ['src/main.ts', '--dev']],
  ['npm run db:migrate', ['scripts/database.ts', 'migrate']],
  ['npm run admin', ['scripts/admin.ts', 'reconcile']],
])(
  '%s refuses a database that is newer than the program in one line with both versions',
  async (_what, args) => {
    const { code, output } = await run(...args);
    expect(code).toBe(1);
    expect(output.split('\n')).toHaveLength(1);
    const later = new Date(newest.when + 86_400_000).toISOString().slice(0, 10);
    expect(output).toContain(`The database is newer than this program: its last migration is of ${later}`);
    expect(output).toContain(`the last one known here is ${newest.tag}`);
  },
);

it('the health of a site that runs beside an upgrade says that the database is newer', async () => {
  await addUnknown(sqlClient());
  const { parts } = await siteHealth();
  expect(parts.find((part) => part.name === 'Database')).toMatchObject({
    state: 'failing',
    summary: expect.stringContaining('The database is newer than this program'),
  });
  await sqlClient()`delete from drizzle.__drizzle_migrations where hash = 'of later'`;
});

it('a backup of an older version is restored over a database that is newer, as the refusal says', async () => {
  const { code, output } = await run('scripts/backup.ts', 'restore', BACKUP, '--replace');
  expect([code, output]).toEqual([0, expect.stringMatching(/^Restored 56 tables/)]);
});
