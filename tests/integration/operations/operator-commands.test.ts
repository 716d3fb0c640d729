import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  chmod,
  chown,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest';
import { writeBackup } from '#db/backup.ts';
import { closeDatabase, db } from '#db/client.ts';
import { makeCourse, makeUser } from '../../support/factories.ts';
import { localFileStore } from '#db/file-store.ts';
import { migrateDatabase, UnfinishedRestoreError } from '#db/migrate.ts';
import { databaseOn } from '../../support/database-url.ts';
import { freePort } from '../../support/site.ts';

// Each is a process that loads the site's code: on a busy machine that takes long.
vi.setConfig({ testTimeout: 240_000 });

// Commands of those who run a site, as processes of their own: what they write, what they refuse, and what a kill leaves.

const root = resolve(import.meta.dirname, '../../..');
const { url: serverUrl } = inject('postgres');
const url = process.env.DATABASE_URL!;
const admin = postgres(serverUrl, { max: 1, onnotice: () => {} });
const made: string[] = [];
let folder: string;
let dataDir: string;
let archive: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'academy-commands-'));
  await chmod(folder, 0o755);
  dataDir = join(folder, 'data');
  archive = join(folder, 'whole.tar.gz');
  await makeCourse({ title: 'In the backup' });
  await makeUser();
  await writeBackup({ url, store: localFileStore(process.env.DATA_DIR!), out: archive });
});

afterAll(async () => {
  await closeDatabase(1);
  for (const name of made) await admin.unsafe(`drop database if exists ${name} with (force)`);
  await admin.end();
  await rm(folder, { recursive: true, force: true });
});

async function emptyDatabase(): Promise<string> {
  const name = `commands_${randomUUID().replaceAll('-', '')}`;
  await admin.unsafe(`create database ${name}`);
  made.push(name);
  return databaseOn(serverUrl, name);
}

type Ran = { child: ChildProcess; ended: Promise<number | null>; output: () => string };

const port = String(await freePort());

function run(args: string[], settings: Record<string, string>, cwd = root, uid?: number): Ran {
  const [script, ...rest] = args;
  const child = spawn(process.execPath, [join(root, 'scripts', script!), ...rest], {
    cwd,
    ...(uid ? { uid, gid: uid } : {}),
    env: { PATH: process.env.PATH, LOG_LEVEL: 'warn', PORT: port, DATA_DIR: dataDir, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  }
  return { child, output: () => output, ended: new Promise((done) => child.once('close', done)) };
}

/** Runs a command to its end; gives its exit code and its lines. */
async function ran(args: string[], settings: Record<string, string>, cwd?: string) {
  const { ended, output } = run(args, settings, cwd);
  const code = await ended;
  return { code, lines: output().trim().split('\n') };
}

async function titles(database: string): Promise<string[]> {
  const client = postgres(database, { max: 1, onnotice: () => {} });
  try {
    return (await client`select title from courses order by 1`).map(({ title }) => String(title));
  } finally {
    await client.end();
  }
}

it('a backup that the database refuses is refused in one line, which says what to do', async () => {
  const odd = join(folder, 'odd.tar.gz');
  await db().execute(sql`alter table users drop constraint users_weekly_goal_range`);
  await db().execute(
    sql`insert into users (username, email, weekly_goal) values ('Odd', 'odd@example.com', 9)`,
  );
  await writeBackup({ url, store: localFileStore(process.env.DATA_DIR!), out: odd });
  await db().execute(sql`delete from users where username = 'Odd'`);
  await db().execute(
    sql`alter table users add constraint users_weekly_goal_range check (weekly_goal between 1 and 7)`,
  );
  const target = await emptyDatabase();
  for (const [command, database] of [
    ['restore', target],
    ['rehearse', url],
  ] as const) {
    const { code, lines } = await ran(['backup.ts', command, odd], { DATABASE_URL: database });
    expect(code).toBe(1);
    expect(lines).toEqual([
      expect.stringMatching(/^Database: /),
      expect.stringMatching(
        /^It failed, and nothing was changed: .*"users_weekly_goal_range"\. LOG_LEVEL=debug shows where; /,
      ),
    ]);
  }
  expect(await titles(target).catch((error: Error) => error.message)).toMatch(/"courses" does not exist/);
});

it('a restore that is killed, wherever it stands, has changed nothing, and every start says so', async () => {
  const target = await emptyDatabase();
  await migrateDatabase(target);
  const client = postgres(target, { max: 1, onnotice: () => {} });
  await client`insert into users (username, email, password_hash) values ('before', 'before@example.com', 'x')`;
  const content = async () =>
    (await client`select username from users order by 1`).map((row) => row.username);
  const before = await content();
  const settings = { DATABASE_URL: target };
  const args = ['backup.ts', 'restore', archive, '--replace'];
  const began = performance.now();
  const timed = await ran(args, settings);
  expect(timed.code).toBe(0);
  const wholeMs = performance.now() - began;
  expect((await ran(['backup.ts', 'restore', '--undo'], settings)).lines.at(-1)).toMatch(/in place again/);
  expect(await content()).toEqual(before);

  let marked = 0;
  // The drill `restore-killed` does this at twenty places.
  for (const tenth of [3, 6, 9]) {
    const { child, ended } = run(args, settings);
    await sleep((wholeMs * tenth) / 10);
    child.kill('SIGKILL');
    await ended;
    // The server ends the transaction once it sees that nobody is there.
    await expect
      .poll(
        async () => {
          const [left] = await admin`
          select count(*)::int as count from pg_stat_activity
          where datname = ${new URL(target).pathname.slice(1)} and pid <> ${(await client`select pg_backend_pid() as pid`)[0]!.pid}`;
          return left!.count;
        },
        { timeout: 20_000 },
      )
      .toBe(0);
    const now = await content();
    if (JSON.stringify(now) !== JSON.stringify(before)) {
      // It had come to its end: everything is there.
      expect(await titles(target)).toEqual(await titles(url));
      await ran(['backup.ts', 'restore', '--undo'], settings);
      continue;
    }
    const isMarked = await migrateDatabase(target).then(
      () => false,
      (error: Error) => error instanceof UnfinishedRestoreError,
    );
    if (!isMarked) continue;
    marked += 1;
    const { code, lines } = await ran(['admin.ts', 'list'], settings);
    expect(code).toBe(1);
    expect(lines.at(-1)).toMatch(
      /^A restore was interrupted \(whole\.tar\.gz, .* UTC\); the database is as it was/,
    );
  }
  expect(marked).toBeGreaterThan(0);
  await client.end();

  // On: again. Its own end takes the mark away, and what the killed ones had unpacked.
  expect((await ran(args, settings)).code).toBe(0);
  expect((await readdir(dataDir)).filter((name) => name.startsWith('.restore-'))).toEqual([]);
  expect(await migrateDatabase(target)).toBe(0);
  expect(await titles(target)).toEqual(await titles(url));
}, 300_000);

it('a start after a restore that was killed before there was a database does not fill it with the demo', async () => {
  const fresh = join(folder, 'fresh');
  const note = join(fresh, 'restore-unfinished');
  const { child, ended } = run(['backup.ts', 'restore', archive], { DATA_DIR: fresh });
  await expect
    .poll(() => readFile(note, 'utf8').catch(() => ''), { timeout: 120_000, interval: 5 })
    .not.toBe('');
  child.kill('SIGKILL');
  await ended;
  const started = await ran(['../src/main.ts', '--dev'], { DATA_DIR: fresh });
  expect(started.code).toBe(1);
  expect(started.lines).toHaveLength(1);
  expect(started.lines[0]).toMatch(/^Cannot start: A restore was interrupted \(whole\.tar\.gz/);
  // The note counts whoever has the number by now, and whatever is left of its text.
  await writeFile(note, `${process.pid} whole.tar.gz, 2026-01-01 00:00 UTC`);
  const beside = await ran(['../src/main.ts', '--dev'], { DATA_DIR: fresh });
  expect(beside.lines).toEqual([
    expect.stringMatching(
      `^Cannot start: A restore is at work \\(whole\\.tar\\.gz, .* process ${process.pid}\\): wait for its end`,
    ),
  ]);
  await writeFile(note, '');
  const nameless = await ran(['../src/main.ts', '--dev'], { DATA_DIR: fresh });
  expect(nameless.lines).toEqual([
    expect.stringMatching(/^Cannot start: A restore was interrupted \(of unknown name\)/),
  ]);
});

it('a rehearsal tells what an upgrade would do and leaves nothing behind', async () => {
  await makeCourse({ title: 'Since the backup' });
  const { child, ended, output } = run(['backup.ts', 'rehearse', archive], { DATABASE_URL: url });
  const code = await ended;
  const lines = output().split('\n');
  expect(lines.join('\n')).toContain('This version has no newer migrations');
  expect(lines.join('\n')).toMatch(/courses: 1 in the backup, 2 now/);
  expect(lines.join('\n')).toContain('Orders and ledger agree to the cent.');
  expect(code).toBe(0);
  // Other files' tests rehearse on the same server: a database carries the number of its process.
  const own = await admin`
    select from pg_database where datname like ${`rehearsal\\_${child.pid}\\_%`}`;
  expect(own).toHaveLength(0);
  expect(await titles(url)).toContain('Since the backup');
});

it('a command in a folder without a database makes none and says how to name the right one', async () => {
  const wrong = join(folder, 'wrong');
  const commands = [
    ['admin.ts', 'list'],
    ['backup.ts', 'write'],
    ['backup.ts', 'restore', '--undo'],
  ];
  for (const { code, lines } of await Promise.all(commands.map((args) => ran(args, { DATA_DIR: wrong })))) {
    expect(code).toBe(1);
    expect(lines).toEqual([
      `There is no database in ${wrong}: run the command with the settings of the site (DATABASE_URL or DATA_DIR), or start the site once.`,
    ]);
  }
  expect(existsSync(wrong)).toBe(false);
});

it('a mistyped option is named, and nothing abandoned is said to be', async () => {
  const mistyped = await ran(['backup.ts', 'restore', archive, '--replce'], { DATABASE_URL: url });
  expect([mistyped.code, mistyped.lines]).toEqual([
    1,
    [expect.stringMatching(/^Unknown option '--replce'\. With --help/)],
  ]);
  expect((await ran(['backup.ts', 'restore', '--help'], { DATABASE_URL: url })).code).toBe(0);
  const { lines } = await ran(['backup.ts', 'restore', '--abandon'], { DATABASE_URL: url });
  expect(lines.at(-1)).toBe('No restore was interrupted.');
});

it('a command says first which database it works on', async () => {
  const { lines } = await ran(['admin.ts', 'list'], { DATABASE_URL: url });
  expect(lines[0]).toMatch(/^Database: \w+ on 127\.0\.0\.1:\d+ \(DATABASE_URL\), of .+, \d+ accounts?$/);
});

it('a backup overwrites nothing unasked, counts from where the caller stands, and names what is in its way', async () => {
  const settings = { DATABASE_URL: url };
  const taken = join(folder, 'taken.tar.gz');
  await writeFile(taken, 'something else');
  const backup = (...args: string[]) => ran(['backup.ts', 'write', ...args], settings, folder);
  expect((await backup(taken)).lines.at(-1)).toBe(`${taken} exists: --force overwrites it.`);
  expect(await readFile(taken, 'utf8')).toBe('something else');
  expect((await backup('taken.tar.gz', '--force')).code).toBe(0);
  expect((await stat(taken)).size).toBeGreaterThan(1_000);
  expect((await backup(folder)).lines.at(-1)).toBe(`${folder} is a folder: name a file in it.`);
  expect((await backup(join(taken, 'below.tar.gz'))).lines.at(-1)).toMatch(
    /cannot be written to .*file already exists/,
  );
  const unprepared = await ran(['backup.ts', 'write', join(folder, 'none.tar.gz')], {
    DATABASE_URL: await emptyDatabase(),
  });
  expect(unprepared.lines.at(-1)).toMatch(/^The database is not prepared yet/);
  const elsewhere = await ran(['backup.ts', 'write', 'from-here.tar.gz'], {
    ...settings,
    npm_lifecycle_event: 'backup',
    INIT_CWD: folder,
  });
  expect(elsewhere.code).toBe(0);
  expect(existsSync(join(folder, 'from-here.tar.gz'))).toBe(true);
});

/** Whether root runs the tests, and other users may read the project. */
const canBeOthers =
  process.getuid?.() === 0 &&
  spawnSync(process.execPath, ['-e', `require('fs').readdirSync(${JSON.stringify(root)})`], {
    uid: 65_534,
    gid: 65_534,
  }).status === 0;

it.runIf(canBeOthers)('what root writes belongs to the owner of the data folder', async () => {
  const owned = join(folder, 'owned');
  await mkdir(owned);
  await chown(owned, 65_534, 65_534);
  expect((await ran(['backup.ts', 'write'], { DATABASE_URL: url, DATA_DIR: owned })).code).toBe(0);
  const [name] = await readdir(join(owned, 'backups'));
  for (const path of ['backups', `backups/${name}`]) {
    expect((await stat(join(owned, path))).uid).toBe(65_534);
  }
  expect(((await stat(join(owned, 'backups'))).mode & 0o777).toString(8)).toBe('700');
  // What only root may read is named, and is not read.
  const closed = join(folder, 'of-root.tar.gz');
  await copyFile(archive, closed);
  await chmod(closed, 0o600);
  const { code, lines } = await ran(['backup.ts', 'rehearse', closed], {
    DATABASE_URL: url,
    DATA_DIR: owned,
  });
  expect([code, lines]).toEqual([
    1,
    [expect.stringMatching(/may not be read by .+, as whom this command runs\.$/)],
  ]);
});

it.runIf(canBeOthers)('a data folder that is closed to the caller is named at once', async () => {
  const closed = join(folder, 'closed');
  await mkdir(join(closed, 'postgres'), { recursive: true });
  await chmod(closed, 0o700);
  for (const args of [
    ['admin.ts', 'list'],
    ['backup.ts', 'write'],
  ]) {
    const { child, ended, output } = run(args, { DATA_DIR: closed }, root, 65_534);
    expect(await ended).toBe(1);
    expect(child.signalCode).toBeNull();
    expect(output().trim()).toBe(
      `The data folder ${closed} cannot be used by this user (EACCES): run the command as the site's own user.`,
    );
  }
});

it('a rehearsal by a role that may not create databases says in one line that it needs CREATEDB', async () => {
  const role = `reader_${randomUUID().replaceAll('-', '')}`;
  await admin.unsafe(`create role ${role} login password 'a-word' in role pg_read_all_data`);
  const own = new URL(url);
  own.username = role;
  own.password = 'a-word';
  try {
    const { code, lines } = await ran(['backup.ts', 'rehearse', archive], { DATABASE_URL: own.href });
    expect(code).toBe(1);
    expect(lines).toHaveLength(2);
    expect(lines[1]).toBe(
      `The role ${role} may not create the database to rehearse in: "ALTER ROLE ${role} CREATEDB" by a superuser allows it.`,
    );
  } finally {
    await admin.unsafe(`drop role ${role}`);
  }
});
