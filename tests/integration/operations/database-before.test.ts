import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import postgres from 'postgres';
import { create, extract } from 'tar';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { pendingMigrations } from '#db/migrate.ts';
import { databaseOn } from '../../support/database-url.ts';
import { freePort } from '../../support/site.ts';

const root = resolve(import.meta.dirname, '../../..');
/** A course with a document, sold to one buyer: a backup that the last version before the first migration wrote. */
const BACKUP = join(root, 'tests/support/backup-before-first-migration.tar.gz');

const { url: serverUrl } = inject('postgres');
const admin = postgres(serverUrl, { max: 1, onnotice: () => {} });
const name = `before_${randomUUID().replaceAll('-', '')}`;
const url = databaseOn(serverUrl, name);
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'academy-before-'));
  await admin.unsafe(`create database ${name}`);
  const client = postgres(url, { max: 1, onnotice: () => {} });
  await client.unsafe(`
    create schema drizzle;
    create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint);
    insert into drizzle.__drizzle_migrations (hash, created_at) values ('of before', 1763500000000);
    create table courses (id integer)`);
  await client.end();
});

afterAll(async () => {
  await admin.unsafe(`drop database if exists ${name} with (force)`);
  await admin.end();
  await rm(folder, { recursive: true, force: true });
});

/** Runs one of the project's programs on the database of before. */
const run = async (...args: string[]): Promise<{ code: number; output: string }> => {
  const port = await freePort();
  return new Promise((done) => {
    const env = {
      PORT: String(port),
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      LOG_LEVEL: 'warn',
      DATABASE_URL: url,
      DATA_DIR: folder,
    };
    execFile(process.execPath, args, { cwd: root, env }, (error, stdout, stderr) =>
      done({
        code: error ? Number(error.code) : 0,
        // Which database it is, a command says first.
        output: `${stdout}${stderr.replace(/^Database: .*\n/, '')}`.trim(),
      }),
    );
  });
};

it.each([
  ['a start', ['src/main.ts', '--dev']],
  ['npm run db:migrate', ['scripts/database.ts', 'migrate']],
])('%s refuses a database of before in one line that says how to take its data over', async (_what, args) => {
  const { code, output } = await run(...args);
  expect(code).toBe(1);
  expect(output.split('\n')).toHaveLength(1);
  expect(output).toContain('"npm run backup" with it, then "npm run restore -- FILE --replace"');
});

it('a backup of a version that lacks the last migrations of before is refused', async () => {
  await extract({ file: BACKUP, cwd: folder });
  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'));
  manifest.migrations.pop();
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
  const older = join(folder, 'older.tar.gz');
  await create({ file: older, cwd: folder, gzip: true }, ['manifest.json', 'tables', 'files']);
  const { code, output } = await run('scripts/backup.ts', 'restore', older, '--replace');
  expect([code, output.split('\n')]).toEqual([1, [expect.stringContaining('before the migration 0028_')]]);
});

it('a backup of the last version of before is restored over it, every row and file', async () => {
  const { code, output } = await run('scripts/backup.ts', 'restore', BACKUP, '--replace');
  expect([code, output]).toEqual([
    0,
    expect.stringMatching(
      /^Restored 56 tables with 37 rows and 1 files .*Every row was compared\.\nWhat was there before is set aside/,
    ),
  ]);
  expect(await pendingMigrations(url)).toEqual([]);
  const client = postgres(url, { max: 1, onnotice: () => {} });
  const [sold] = await client`
    select c.title, c.is_active, c.certificate_months, o.invoice_number, u.email, l.title as lesson
    from courses c join enrollments e on e.course_id = c.id join users u on u.id = e.user_id
    join order_items i on i.id = e.order_item_id join orders o on o.id = i.order_id
    join lessons l on l.course_id = c.id`;
  expect(sold).toEqual({
    title: 'Knots for sailors',
    is_active: true,
    certificate_months: 12,
    invoice_number: 'INV-2026-000001',
    email: 'ben@example.com',
    lesson: 'The bowline',
  });
  // What triggers keep is as it was, and they work on what comes.
  const found = () => client`
    select title from courses where search_text @@ course_query(array['bowline', 'splicing']) order by id`;
  expect(await found()).toEqual([{ title: 'Knots for sailors' }]);
  await client`update lessons set title = 'The sheet bend'`;
  expect(
    await client`select title from courses where search_text @@ course_query(array['sheet'])`,
  ).toHaveLength(1);
  await expect(client`update orders set status = 'pending'`).rejects.toThrow('cannot go from');
  await client.end();
});
