import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statfsSync, statSync } from 'node:fs';
import { cp, mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { startEmbeddedPostgres } from '#db/embedded.ts';
import { BACKUP_DRAFT, storedFileLocation } from '#db/file-store.ts';
import { MIGRATIONS_FOLDER, migrateDatabase, readJournal } from '#db/migrate.ts';
import { unpackBackup } from '#db/restore.ts';
import { freePort } from '../support/site.ts';
import { type Drill, ended, must, needsRoot } from './drill.ts';
import type { Stage } from './stage.ts';

const root = resolve(import.meta.dirname, '../..');

type Ended = { code: number | null; lines: string[] };

/** Starts one of the project's programs on the built-in database of a data folder. */
function started(dataDir: string, args: string[], env: Record<string, string> = {}) {
  const child: ChildProcess = spawn(process.execPath, args, {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, LOG_LEVEL: 'warn', DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  }
  // Its streams may be open in the server that it started.
  const end = new Promise<Ended>((done) =>
    child.once('exit', (code) =>
      setTimeout(() => {
        // Which database it is, a command says first.
        const lines = output.split('\n').filter((line) => line && !line.startsWith('Database: '));
        done({ code, lines });
      }, 30),
    ),
  );
  return { child, end };
}

const backup = (dataDir: string, ...args: string[]) => started(dataDir, ['scripts/backup.ts', ...args]).end;

/** Kills a process after so long; gives how long it takes as a whole, which is less than was thought if it ended before. */
async function killedAfter(
  ms: number,
  child: ChildProcess,
  end: Promise<Ended>,
  wholeMs: number,
): Promise<number> {
  const began = performance.now();
  const ended = await Promise.race([sleep(ms).then(() => false), end.then(() => true)]);
  if (ended) return Math.min(wholeMs, performance.now() - began);
  child.kill('SIGKILL');
  await end;
  return wholeMs;
}

/** Runs a command that must succeed. */
async function done(dataDir: string, ...args: string[]): Promise<string[]> {
  const { code, lines } = await backup(dataDir, ...args);
  must(code === 0, `${args.join(' ')} ended with ${code}: ${lines.join(' | ')}`);
  return lines;
}

/** A start of the built site that must not come up; gives what it said. */
async function refusedStart(stage: Stage, dataDir: string): Promise<string> {
  const { child, end } = started(dataDir, ['scripts/start.ts', '--built'], {
    NODE_ENV: 'production',
    BUILD_DIR: stage.buildDir,
    PORT: String(await freePort()),
    SITE_URL: 'http://localhost:4321',
  });
  const late = setTimeout(() => child.kill('SIGKILL'), 20_000);
  const { code, lines } = await end;
  clearTimeout(late);
  must(
    code === 1 && lines.length === 1,
    `a start that should have refused ended with ${code}: ${lines.join(' | ')}`,
  );
  return lines[0]!;
}

/** Asks the built-in database of a data folder, which is started for it where it does not run. */
async function onDatabase<T>(
  dataDir: string,
  work: (sql: postgres.Sql, url: string) => Promise<T>,
): Promise<T> {
  const server = await startEmbeddedPostgres({ dataDir });
  const sql = postgres(server.url, { max: 1, onnotice: () => {} });
  try {
    return await work(sql, server.url);
  } finally {
    await sql.end({ timeout: 5 });
    await server.stop();
  }
}

/** Every table in use: how many rows it has, and their digest. */
async function rowsOf(sql: postgres.Sql, schema = 'public'): Promise<string> {
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = ${schema} and table_type = 'BASE TABLE' order by 1`;
  const all: string[] = [];
  for (const { name } of tables) {
    const [found] = await sql.unsafe(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, chr(10) order by t::text)), '') as digest from ${schema}."${name}" t`,
    );
    all.push(`${name} ${found!.digest}`);
  }
  return all.join('\n');
}

/** What a data folder has: every row, and that every stored file of them is there. */
async function contentOf(dataDir: string): Promise<string> {
  return onDatabase(dataDir, async (sql) => {
    // What a killed command was doing ends once the server has seen that nobody is there.
    for (let waited = 0; ; waited += 1) {
      const [others] = await sql<{ count: number }[]>`
        select count(*)::int as count from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`;
      if (others!.count === 0) break;
      must(waited < 300, 'a connection of a process that was killed is still there after 30 s');
      await sleep(100);
    }
    const files = await sql<{ sha256: string; size: number }[]>`select sha256, size from stored_files`;
    for (const { sha256, size } of files) {
      const path = storedFileLocation(dataDir, sha256);
      must(existsSync(path) && statSync(path).size === size, `the stored file ${sha256} is not there`);
    }
    return `${await rowsOf(sql)}\ndrizzle ${await rowsOf(sql, 'drizzle')}`;
  });
}

const unpackedIn = (dataDir: string) => readdirSync(dataDir).filter((name) => name.startsWith('.restore-'));
const draftsIn = (folder: string) =>
  existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith(BACKUP_DRAFT)) : [];

/** Starts a site on a data folder with its built-in database, and ends it in good order. */
async function startAndEnd(stage: Stage, name: string): Promise<number> {
  const site = await stage.site(name, { DATABASE_URL: undefined, SEED_DEMO: undefined });
  const { readyAfter } = site;
  site.process.kill('SIGTERM');
  must((await ended(site)) === 0, 'the site did not end in good order');
  return readyAfter;
}

/** A data folder with the demo and 20,000 accounts, and beside it a backup of the same with other accounts. */
async function folderAndBackup(stage: Stage, name: string): Promise<{ dataDir: string; archive: string }> {
  const dataDir = join(stage.folder, name);
  await startAndEnd(stage, name);
  const addUsers = (prefix: string) =>
    onDatabase(
      dataDir,
      (sql) => sql`
        insert into users (username, email, password_hash)
        select ${prefix} || n, ${prefix} || n || '@example.com', repeat(md5(n::text), 4) from generate_series(1, 20000) n`,
    );
  await addUsers('backed');
  const archive = join(stage.folder, 'whole.tar.gz');
  await done(dataDir, 'write', archive);
  await onDatabase(dataDir, async (sql) => sql`delete from users where username like 'backed%'`);
  await addUsers('before');
  return { dataDir, archive };
}

const INTERRUPTED = /A restore was interrupted \(whole\.tar\.gz, .* UTC\); the database is as it was before/;

export const restoreKilled: Drill = {
  name: 'restore-killed',
  faults: 'F28',
  does: '`npm run restore -- FILE --replace` over the built-in database is killed at twenty places; rows, marks, `--abandon`, `--undo` and what is left are looked at each time',
  async run(stage) {
    const { dataDir, archive } = await folderAndBackup(stage, 'a');
    const before = await contentOf(dataDir);
    const began = performance.now();
    await done(dataDir, 'restore', archive, '--replace');
    let wholeMs = performance.now() - began;
    const after = await contentOf(dataDir);
    must(before !== after, 'the backup is the same as what it replaces');
    await done(dataDir, 'restore', '--undo');
    must((await contentOf(dataDir)) === before, 'taking it back did not bring every row back');
    const counts = { old: 0, new: 0, marked: 0, abandoned: 0, unpacked: 0 };
    for (let place = 1; place <= 20; place += 1) {
      const { child, end } = started(dataDir, ['scripts/backup.ts', 'restore', archive, '--replace']);
      wholeMs = await killedAfter((wholeMs * place) / 20.5, child, end, wholeMs);
      const where = `killed at ${place} of 20`;
      counts.unpacked += unpackedIn(dataDir).length > 0 ? 1 : 0;
      const list = await started(dataDir, ['scripts/admin.ts', 'list']).end;
      const content = await contentOf(dataDir);
      must(
        content === before || content === after,
        `${where}: the rows are neither those before nor the backup's`,
      );
      if (content === after) {
        counts.new += 1;
        must(
          list.code === 0,
          `${where}, with all of the backup there, admin list says: ${list.lines.join(' | ')}`,
        );
        await done(dataDir, 'restore', '--undo');
        must((await contentOf(dataDir)) === before, `${where}: taking it back did not bring every row back`);
        continue;
      }
      counts.old += 1;
      if (list.code === 0) continue;
      counts.marked += 1;
      must(
        list.code === 1 && list.lines.length === 1 && INTERRUPTED.test(list.lines[0]!),
        `${where}: admin list says ${list.lines.join(' | ')}`,
      );
      const said = await refusedStart(stage, dataDir);
      must(INTERRUPTED.test(said), `${where}: a start says ${said}`);
      if (place % 2 === 0) continue;
      counts.abandoned += 1;
      await done(dataDir, 'restore', '--abandon');
      const listed = await started(dataDir, ['scripts/admin.ts', 'list']).end;
      must(listed.code === 0, `${where}: after --abandon admin list says ${listed.lines.join(' | ')}`);
      must((await contentOf(dataDir)) === before, `${where}: after --abandon a row is not as it was`);
      must(unpackedIn(dataDir).length === 0, `${where}: after --abandon ${unpackedIn(dataDir)} is left`);
    }
    must(counts.marked > 0, 'no kill left a mark');
    await done(dataDir, 'restore', archive, '--replace');
    must((await contentOf(dataDir)) === after, 'the restore after the kills is not whole');
    must(unpackedIn(dataDir).length === 0, `${unpackedIn(dataDir)} is left`);
    const ready = await startAndEnd(stage, 'a');
    return `a restore takes ${(wholeMs / 1000).toFixed(1)} s; ${counts.old} times all rows of before, ${counts.new} times all of the backup; ${counts.marked} times a start and admin list refused in one line, ${counts.abandoned} times given up; ${counts.unpacked} unpacked folders left, none after the next command; the site starts in ${(ready / 1000).toFixed(1)} s`;
  },
};

export const backupKilled: Drill = {
  name: 'backup-killed',
  faults: 'F29',
  does: '`npm run backup` is killed at ten places; the archive’s name, the rows, the drafts and the next backup are looked at',
  async run(stage) {
    const { dataDir } = await folderAndBackup(stage, 'a');
    const before = await contentOf(dataDir);
    const backups = join(dataDir, 'backups');
    const file = join(backups, 'nightly.tar.gz');
    const began = performance.now();
    await done(dataDir, 'write', file);
    let wholeMs = performance.now() - began;
    await rm(file);
    const counts = { none: 0, whole: 0, drafts: 0 };
    for (let place = 1; place <= 10; place += 1) {
      const older = draftsIn(backups);
      const { child, end } = started(dataDir, ['scripts/backup.ts', 'write', file]);
      // Most of the time is the start of the command: half of the places are counted from the first that is written.
      if (place % 2 === 0) {
        while (draftsIn(backups).every((name) => older.includes(name)) && child.exitCode === null)
          await sleep(2);
        await killedAfter(place * 8, child, end, wholeMs);
      } else wholeMs = await killedAfter((wholeMs * place) / 10.3, child, end, wholeMs);
      // The next one removes what this one left.
      must(draftsIn(backups).length <= 1, `drafts pile up: ${draftsIn(backups)}`);
      counts.drafts += draftsIn(backups).length;
      if (existsSync(file)) {
        const { remove } = await unpackBackup(file, join(stage.folder, 'looked-at'));
        await remove();
        await rm(file);
        counts.whole += 1;
      } else counts.none += 1;
      must((await contentOf(dataDir)) === before, `killed at ${place} of 10: a row has changed`);
    }
    must(counts.drafts > 0, 'no kill left a draft: the places are too early');
    const sweep = () =>
      started(dataDir, [
        '--input-type=module',
        '-e',
        "const { sweepAbandoned } = await import('./src/server/files/uploads.ts'); await sweepAbandoned();",
      ]).end;
    // One of another machine, of which only time tells that it is at work no more.
    const foreign = join(backups, `${BACKUP_DRAFT}another1-1-x`);
    await mkdir(foreign);
    await done(dataDir, 'write', file);
    const { manifest, remove } = await unpackBackup(file, join(stage.folder, 'looked-at'));
    await remove();
    must(draftsIn(backups).join() === basename(foreign), `left: ${draftsIn(backups)}`);
    await sweep();
    must(existsSync(foreign), 'a draft that may be of a backup at work was swept');
    const longAgo = new Date(Date.now() - 25 * 3_600_000);
    await utimes(foreign, longAgo, longAgo);
    const swept = await sweep();
    must(draftsIn(backups).length === 0, `after a day drafts are left: ${swept.lines.join(' | ')}`);
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    return `a backup takes ${(wholeMs / 1000).toFixed(1)} s; ${counts.none} times no archive, ${counts.whole} times a whole one; no row changed; ${counts.drafts} times a draft left, gone with the next backup, and one of another machine after a day; the next backup had all ${rows} rows`;
  },
};

/** A data folder on a disk of its own. */
async function withSmallDisk<T>(
  folder: string,
  megabytes: number,
  work: (free: Free) => Promise<T>,
): Promise<T> {
  await mkdir(folder, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=711`, 'tmpfs', folder]);
  try {
    return await work(async (kilobytes) => {
      const filler = join(folder, 'filler');
      await rm(filler, { force: true });
      if (kilobytes === null) return;
      const { bavail, bsize } = statfsSync(folder);
      const bytes = bavail * bsize - kilobytes * 1024;
      execFileSync('fallocate', ['-l', String(bytes), filler]);
    });
  } finally {
    spawnSync('umount', ['-l', folder]);
  }
}

/** Leaves so many kilobytes of a disk free; all of it for null. */
type Free = (kilobytes: number | null) => Promise<void>;

const DISK_FULL = /no room|disk is full|No space left/i;

export const restoreDiskFull: Drill = {
  name: 'restore-disk-full',
  faults: 'F30',
  does: 'a restore over the built-in database on a disk with ever more room, from none up to enough',
  needs: needsRoot,
  async run(stage) {
    const small = join(stage.folder, 'a');
    return withSmallDisk(small, 900, async (free) => {
      const { archive } = await folderAndBackup(stage, 'a');
      const before = await contentOf(small);
      const said = new Map<string, string[]>();
      const sizes = [
        0, 100, 1_000, 4_000, 8_000, 12_000, 16_000, 20_000, 24_000, 28_000, 32_000, 48_000, 64_000, 96_000,
        128_000, 192_000,
      ];
      for (const kilobytes of sizes) {
        const where = `${kilobytes} KB free`;
        await free(kilobytes);
        const { code, lines } = await backup(small, 'restore', archive, '--replace');
        const left = unpackedIn(small);
        await free(null);
        if (code === 0) {
          must((await contentOf(small)) !== before, `${where}: nothing was restored`);
          const ready = await startAndEnd(stage, 'a');
          return `${[...said].map(([line, at]) => `${at.join(', ')} KB: “${line}”`).join('; ')}; each time every row was as before; with ${kilobytes} KB it went through; the site starts in ${(ready / 1000).toFixed(1)} s`;
        }
        must(
          code === 1 && lines.length === 1 && DISK_FULL.test(lines[0]!),
          `${where}: it ended with ${code} and said ${lines.join(' | ')}`,
        );
        must(left.length === 0, `${where}: ${left.join(', ')} is left`);
        const line = lines[0]!.replaceAll(stage.folder, '…').replace(/\.restore-\S+/, '.restore-N');
        said.set(line, [...(said.get(line) ?? []), String(kilobytes)]);
        const list = await started(small, ['scripts/admin.ts', 'list']).end;
        if (list.code !== 0) {
          must(INTERRUPTED.test(list.lines.join()), `${where}: admin list says ${list.lines.join(' | ')}`);
          await done(small, 'restore', '--abandon');
        }
        must((await contentOf(small)) === before, `${where}: a row is not as it was`);
      }
      throw new Error('no size was enough');
    });
  },
};

export const backupDiskFull: Drill = {
  name: 'backup-disk-full',
  faults: 'F31',
  does: 'a backup onto a disk with ever more room, from none up to enough; then into the full data folder itself',
  needs: needsRoot,
  async run(stage) {
    const { dataDir } = await folderAndBackup(stage, 'a');
    const before = await contentOf(dataDir);
    const small = join(stage.folder, 'small');
    const seen = await withSmallDisk(small, 64, async (free) => {
      const file = join(small, 'whole.tar.gz');
      const said = new Map<string, string[]>();
      for (const kilobytes of [
        0, 40, 200, 1_000, 3_000, 5_000, 6_000, 7_000, 8_000, 10_000, 12_000, 16_000, 32_000,
      ]) {
        await free(kilobytes);
        const { code, lines } = await backup(dataDir, 'write', file);
        if (code === 0) {
          const { remove } = await unpackBackup(file, join(stage.folder, 'looked-at'));
          await remove();
          return `${[...said].map(([line, at]) => `${at.join(', ')} KB: “${line}”`).join('; ')}; whole with ${kilobytes} KB`;
        }
        must(
          code === 1 && lines.length === 1 && DISK_FULL.test(lines[0]!),
          `${kilobytes} KB free: it ended with ${code} and said ${lines.join(' | ')}`,
        );
        const left = readdirSync(small).filter((name) => name !== 'filler');
        must(left.length === 0, `${kilobytes} KB free: ${left.join(', ')} is left`);
        const line = lines[0]!.replaceAll(stage.folder, '…');
        said.set(line, [...(said.get(line) ?? []), String(kilobytes)]);
      }
      throw new Error('no size was enough');
    });
    must((await contentOf(dataDir)) === before, 'a row has changed');
    const other = join(stage.folder, 'b');
    const within = await withSmallDisk(other, 900, async (free) => {
      execFileSync('cp', ['-a', `${dataDir}/.`, other]);
      const said: string[] = [];
      for (const kilobytes of [0, 1_000, 4_000]) {
        await free(kilobytes);
        const { code, lines } = await backup(other, 'write');
        must(
          code === 1 && lines.length === 1 && DISK_FULL.test(lines[0]!),
          `in the data folder with ${kilobytes} KB free: it ended with ${code} and said ${lines.join(' | ')}`,
        );
        must(draftsIn(join(other, 'backups')).length === 0, 'a draft is left in the data folder');
        said.push(`${kilobytes} KB: “${lines[0]!.replaceAll(stage.folder, '…')}”`);
      }
      await free(null);
      must((await contentOf(other)) === before, 'a row has changed on the full disk');
      await done(other, 'write');
      return said.join('; ');
    });
    return `${seen}; into the data folder ${within}; no draft left, no row changed`;
  },
};

export const copiedDataFolder: Drill = {
  name: 'copied-data-folder',
  faults: 'F32',
  does: 'the data folder of a running site is copied with `cp -a`; commands, a restore and a second site work on the copy',
  async run(stage) {
    const { dataDir, archive } = await folderAndBackup(stage, 'a');
    const copy = join(stage.folder, 'b');
    const first = await stage.site('a', { DATABASE_URL: undefined });
    await onDatabase(dataDir, async (sql) => sql`checkpoint`);
    execFileSync('cp', ['-a', dataDir, copy]);
    const usersOf = (folder: string) =>
      onDatabase(folder, async (sql) => {
        const rows = await sql<{ username: string }[]>`
          select username from users where username like 'only%' or username like 'restored%' order by 1`;
        return rows.map(({ username }) => username).join();
      });
    const add = (folder: string, username: string) =>
      onDatabase(folder, async (sql) => {
        await sql`insert into users (username, email, password_hash) values (${username}, ${`${username}@example.com`}, 'x')`;
      });
    const list = await started(copy, ['scripts/admin.ts', 'list']).end;
    must(list.code === 0, `admin list on the copy says ${list.lines.join(' | ')}`);
    must(
      (await fetch(`${first.url}/readyz`)).status === 200,
      'the original is not ready after a command on the copy',
    );
    const second = await stage.site('b', { DATABASE_URL: undefined });
    await add(copy, 'only-copy');
    await add(dataDir, 'only-original');
    must((await usersOf(dataDir)) === 'only-original', `the original has ${await usersOf(dataDir)}`);
    must((await usersOf(copy)) === 'only-copy', `the copy has ${await usersOf(copy)}`);
    const running = await backup(copy, 'restore', archive, '--replace');
    must(
      running.code === 1 && running.lines.length === 1,
      `over the running copy: ${running.lines.join(' | ')}`,
    );
    second.process.kill('SIGTERM');
    must((await ended(second)) === 0, 'the site on the copy did not end in good order');
    const original = await onDatabase(dataDir, (sql) => rowsOf(sql));
    await done(copy, 'restore', archive, '--replace');
    must((await usersOf(copy)) === '', 'the restore left rows in the copy');
    const now = await onDatabase(dataDir, (sql) => rowsOf(sql));
    const changed = now.split('\n').filter((line, at) => line !== original.split('\n')[at]);
    // The running site keeps counters of its own.
    const ofSite = changed.filter((line) => !/^(rate_limits|mail_outbox|traces)/.test(line));
    must(ofSite.length === 0, `a restore of the copy changed in the original: ${ofSite.join(' | ')}`);
    must((await fetch(`${first.url}/readyz`)).status === 200, 'the original is not ready after the restore');
    await rm(copy, { recursive: true });
    must(
      (await fetch(`${first.url}/courses`)).status === 200,
      'the original does not answer without its copy',
    );
    first.process.kill('SIGTERM');
    must((await ended(first)) === 0, 'the original did not end in good order');
    await startAndEnd(stage, 'a');
    return `a row of each was in that one alone; over the running copy: “${running.lines[0]}”; a restore on the copy changed no row of the original, which answered throughout and started again`;
  },
};

export const upgradeKilled: Drill = {
  name: 'upgrade-killed',
  faults: 'F33',
  does: 'a start that brings a database of an older version up to date is killed at ten places, then started again',
  async run(stage) {
    const older = join(stage.folder, 'older');
    const folder = join(stage.folder, 'older-migrations');
    await cp(MIGRATIONS_FOLDER, folder, { recursive: true });
    const journal = readJournal();
    const entries = journal.entries.slice(0, 8);
    await writeFile(join(folder, 'meta/_journal.json'), JSON.stringify({ ...journal, entries }));
    const all = journal.entries.length;
    const stateOf = (dataDir: string) =>
      onDatabase(dataDir, async (sql) => {
        const [made] = await sql<{ applied: number }[]>`
          select count(*)::int as applied from drizzle.__drizzle_migrations`;
        const columns = await sql`
          select table_name || '.' || column_name || ' ' || data_type as name from information_schema.columns
          where table_schema = 'public' order by 1`;
        const [rows] = await sql`
          select (select md5(string_agg(concat_ws(' ', id, username, email, password_hash, role), ',' order by id)) from users)
            || (select md5(string_agg(concat_ws(' ', id, title, price_cents), ',' order by id)) from courses) as digest`;
        return {
          applied: made!.applied,
          shape: columns.map(({ name }) => name).join('\n'),
          rows: String(rows!.digest),
        };
      });
    await onDatabase(older, async (sql, url) => {
      await migrateDatabase(url, folder);
      await sql`
        insert into users (username, email, password_hash)
        select 'user' || n, 'user' || n || '@example.com', repeat(md5(n::text), 4) from generate_series(1, 20000) n`;
      await sql`insert into categories (name) values ('Programming')`;
      await sql`insert into courses (title, description, price_cents, level, category_id)
        select 'Course ' || n, repeat('A course. ', 20), 100 + n, 'beginner', (select id from categories)
        from generate_series(1, 2000) n`;
    });
    const before = await stateOf(older);
    must(before.applied === entries.length, `the older database has ${before.applied} migrations`);
    const settings = { DATABASE_URL: undefined, SEED_DEMO: 'off' };
    execFileSync('cp', ['-a', older, join(stage.folder, 'whole')]);
    const site = await stage.site('whole', settings);
    const wholeMs = site.readyAfter;
    site.process.kill('SIGTERM');
    await ended(site);
    const after = await stateOf(join(stage.folder, 'whole'));
    must(after.applied === all && after.rows === before.rows, 'an upgrade without a kill is not whole');
    const counts = { old: 0, new: 0 };
    for (let place = 1; place <= 10; place += 1) {
      const name = `killed-${place}`;
      const dataDir = join(stage.folder, name);
      execFileSync('cp', ['-a', older, dataDir]);
      const { child, end } = started(dataDir, ['scripts/start.ts', '--built'], {
        NODE_ENV: 'production',
        BUILD_DIR: stage.buildDir,
        SEED_DEMO: 'off',
        PORT: String(await freePort()),
        SITE_URL: 'http://localhost:4321',
      });
      await Promise.race([sleep(wholeMs * 0.05 * place), end]);
      child.kill('SIGKILL');
      await end;
      if (existsSync(join(dataDir, 'postgres/PG_VERSION'))) {
        const state = await stateOf(dataDir);
        must(
          (state.applied === before.applied && state.shape === before.shape) ||
            (state.applied === all && state.shape === after.shape),
          `killed at ${place} of 10: ${state.applied} of ${all} migrations are applied`,
        );
        must(state.rows === before.rows, `killed at ${place} of 10: a row is not as it was`);
        counts[state.applied === all ? 'new' : 'old'] += 1;
      }
      const again = await stage.site(name, settings);
      again.process.kill('SIGTERM');
      must((await ended(again)) === 0, 'the site did not end in good order');
      const state = await stateOf(dataDir);
      must(
        state.applied === all && state.shape === after.shape && state.rows === before.rows,
        `killed at ${place} of 10: the start after it left ${state.applied} of ${all} migrations, or other rows`,
      );
      await rm(dataDir, { recursive: true });
    }
    return `from ${before.applied} to ${all} migrations; a start takes ${(wholeMs / 1000).toFixed(1)} s; ${counts.old} kills left all of the old version, ${counts.new} all of the new; every start after them completed the rest, every account and course as before`;
  },
};
