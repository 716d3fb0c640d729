import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { basename, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { create } from 'tar';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { setEnvironment } from '#src/server/start/env.ts';
import { beginRelease, switchTo } from '../../../scripts/releases.ts';
import { freePort, temporaryFolder } from '../../support/site.ts';

const root = resolve(import.meta.dirname, '../../..');
let folder: string;
/** Where nothing else is said: another program of this machine may have the port of the default. */
let port: number;

beforeEach(async () => {
  port = await freePort();
  folder = await temporaryFolder('academy-start-');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

type Started = { child: ChildProcess; output: () => string; ended: Promise<number | null> };

/** Runs one of the project's programs in a group of its own, as a shell does, with these settings and no others. */
function run(args: string[], settings: Record<string, string>): Started {
  const child = spawn(process.execPath, args, {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      LOG_LEVEL: 'warn',
      PORT: String(port),
      ...settings,
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  }
  return { child, output: () => output, ended: new Promise((done) => child.once('close', done)) };
}

describe('a start with wrong settings ends with one line that names the variable', () => {
  const closed = { BUILD_DIR: 'dist-never-built' };
  test.each<[string, string, (path: string) => Record<string, string>]>([
    ['a database address that is none', 'DATABASE_URL', () => ({ DATABASE_URL: 'nonsense' })],
    ['a misspelt name', 'DATABASE_URL', () => ({ DATABASE_URl: '' })],
    ['a data folder that is a file', 'DATA_DIR', (path) => ({ DATA_DIR: join(path, 'file') })],
    ['a data folder below a file', 'DATA_DIR', (path) => ({ DATA_DIR: join(path, 'file/data') })],
    ['a data folder under /proc', 'DATA_DIR', () => ({ DATA_DIR: '/proc/data' })],
    [
      'a public address without keys',
      'PAYMENT_SANDBOX',
      (path) => ({ SITE_URL: 'https://academy.example', DATA_DIR: path }),
    ],
    ['no sandbox and no keys', 'PAYMENT_SANDBOX', (path) => ({ PAYMENT_SANDBOX: 'off', DATA_DIR: path })],
  ])('%s', async (_what, name, settings) => {
    await writeFile(join(folder, 'file'), '');
    const { ended, output } = run(['scripts/start.ts'], { DATA_DIR: folder, ...closed, ...settings(folder) });
    expect(await ended).toBe(1);
    expect(output().trim().split('\n')).toHaveLength(1);
    expect(output()).toMatch(/^Configuration: /);
    expect(output()).toContain(name);
    expect(existsSync(join(root, closed.BUILD_DIR))).toBe(false);
    expect(existsSync(join(folder, 'postgres'))).toBe(false);
  });

  test('a release that was never built', async () => {
    const { ended, output } = run(['scripts/start.ts', '--built'], { DATA_DIR: folder, ...closed });
    expect(await ended).toBe(1);
    expect(output()).toBe('Configuration: nothing has been built in BUILD_DIR yet: run "npm run build"\n');
  });

  test('a port that is taken', async () => {
    const other = createServer().listen(port, '127.0.0.1');
    await once(other, 'listening');
    const { ended, output } = run(['scripts/start.ts'], { DATA_DIR: folder, ...closed });
    expect(await ended).toBe(1);
    other.close();
    expect(output()).toBe(`Configuration: PORT ${port} is taken: stop the other program or set PORT\n`);
    expect(existsSync(join(root, closed.BUILD_DIR))).toBe(false);
    expect(existsSync(join(folder, 'postgres'))).toBe(false);
  });

  test('a database that is not there is waited for aloud', async () => {
    const port = await freePort();
    const { ended, output, child } = run(['src/main.ts', '--dev'], {
      DATA_DIR: folder,
      DATABASE_URL: `postgres://user:secret-word@127.0.0.1:${port}/academy`,
    });
    while (!output().includes('\n')) await sleep(20);
    expect(output()).toMatch(
      /^Waiting up to 10 s for the database academy on 127\.0\.0\.1:\d+ \(DATABASE_URL\)/,
    );
    // Which opens the inspector of a Node that has nothing against it.
    process.kill(child.pid!, 'SIGUSR1');
    await sleep(1_000);
    expect(child.exitCode).toBeNull();
    process.kill(child.pid!, 'SIGTERM');
    await ended;
    expect(output()).not.toMatch(/secret-word|Debugger/);
  });
});

describe('a file that is no whole backup is refused in one line before a database is made for it', () => {
  test.each(['a text', 'a foreign archive', 'an archive cut off'])('%s', async (what) => {
    const temporary = join(folder, 'tmp');
    await mkdir(join(folder, 'content'), { recursive: true });
    await mkdir(temporary);
    await writeFile(join(folder, 'content/notes.txt'), randomBytes(40_000));
    const file = join(folder, 'file.tar.gz');
    if (what === 'a text') await writeFile(file, 'no archive at all\n');
    else await create({ file, cwd: folder, gzip: true }, ['content']);
    if (what === 'an archive cut off') await truncate(file, 20_000);
    const { ended, output } = run(['scripts/backup.ts', 'restore', file], {
      DATA_DIR: join(folder, 'data'),
      TMPDIR: temporary,
    });
    expect(await ended).toBe(1);
    expect(output().trim().split('\n')).toHaveLength(1);
    expect(output()).toMatch(/file\.tar\.gz cannot be read|no backup of this site/);
    expect(await readdir(temporary)).toEqual([]);
    expect(existsSync(join(folder, 'data'))).toBe(false);
  });
});

/** Whether the embedded server runs: it removes this file when it has ended in good order. */
const databaseRuns = (dataDir: string) => existsSync(join(dataDir, 'postgres/postmaster.pid'));

describe('a signal to the whole group ends the site in good order, and its database with it', () => {
  let buildDir: string;
  // Whichever start comes first makes the database here; the others start on what the one before has left.
  let dataDir: string;

  beforeAll(async () => {
    dataDir = await temporaryFolder('academy-start-');
    // A release as the build makes it, but for its pages: one takes their place that answers as soon as it may.
    buildDir = await mkdtemp(join(root, 'dist-test-'));
    setEnvironment({ BUILD_DIR: basename(buildDir) });
    const { folder: release, complete } = await beginRelease();
    await mkdir(join(release, 'site/server/chunks'), { recursive: true });
    await mkdir(join(release, 'site/client'));
    await writeFile(join(release, 'site/_headers.json'), '[]');
    await writeFile(
      join(release, 'site/server/entry.mjs'),
      `import { existsSync, writeFileSync } from 'node:fs';
      export const handler = () => new Promise((done) => {
        writeFileSync(process.env.DATA_DIR + '/asked', '');
        const look = setInterval(() => {
          if (!existsSync(process.env.DATA_DIR + '/answer')) return;
          clearInterval(look);
          done(new Response('answered'));
        }, 10);
      });`,
    );
    await switchTo(await complete('test'), 'test');
    setEnvironment({ BUILD_DIR: undefined });
  });

  afterAll(async () => {
    await rm(buildDir, { recursive: true, force: true });
    await rm(dataDir, { recursive: true, force: true });
  });

  const start = async (data: string) => {
    const port = await freePort();
    const site = run(['scripts/start.ts', '--built'], {
      BUILD_DIR: basename(buildDir),
      DATA_DIR: data,
      PORT: String(port),
      PAYMENT_SANDBOX_PORT: String(await freePort()),
      SEED_DEMO: 'off',
    });
    return { ...site, url: `http://127.0.0.1:${port}` };
  };

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s, which npm passes on a second time',
    async (signal) => {
      for (const mark of ['asked', 'answer']) await rm(join(dataDir, mark), { force: true });
      const { child, url, ended, output } = await start(dataDir);
      const until = async (condition: () => boolean | Promise<boolean>) => {
        while (!(await condition())) {
          expect(child.exitCode, output()).toBeNull();
          await sleep(20);
        }
      };
      const serves = () =>
        fetch(`${url}/readyz`).then(
          (answer) => answer.ok,
          () => false,
        );
      await until(serves);
      expect(databaseRuns(dataDir)).toBe(true);
      const slow = fetch(`${url}/slow`).then((answer) => answer.text());
      await until(() => existsSync(join(dataDir, 'asked')));
      process.kill(-child.pid!, signal);
      // The second one comes while the first is being followed.
      await until(async () => !(await serves()));
      child.kill(signal);
      await writeFile(join(dataDir, 'answer'), '');
      expect(await slow).toBe('answered');
      expect(await ended, output()).toBe(0);
      expect(databaseRuns(dataDir)).toBe(false);
      // Nobody of the group is left.
      expect(() => process.kill(-child.pid!, 0)).toThrow('ESRCH');
    },
    90_000,
  );

  test('also while the database is being made', async () => {
    const { child, ended, output } = await start(folder);
    // What initdb writes to until it has done.
    while (!(await readdir(folder)).some((name) => name.startsWith('postgres.unfinished-'))) await sleep(5);
    process.kill(-child.pid!, 'SIGINT');
    expect(await ended, output()).toBe(0);
    expect(databaseRuns(folder)).toBe(false);
  }, 90_000);
});
