import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MACHINE } from '#db/lock-file.ts';
import { PROJECT_FOLDER, setEnvironment } from '#src/server/start/env.ts';
import {
  beginRelease,
  currentRelease,
  listReleases,
  pruneReleases,
  releaseFor,
  switchTo,
  withBuildLock,
} from './releases.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(PROJECT_FOLDER, 'dist-test-'));
  setEnvironment({ BUILD_DIR: basename(folder) });
});

afterEach(async () => {
  setEnvironment({ BUILD_DIR: undefined });
  await rm(folder, { recursive: true, force: true });
});

/** A release without content, as if it had been built at that second of a day. */
async function release(second: number, fingerprint: string) {
  const name = `20260102-0304${String(second).padStart(2, '0')}-abcd`;
  await mkdir(join(folder, name, 'src'), { recursive: true });
  await writeFile(
    join(folder, name, 'release.json'),
    JSON.stringify({ fingerprint, builtAt: '2026-01-02T03:04:00Z' }),
  );
  return (await listReleases()).find((one) => one.name === name)!;
}

test('a release starts while the sources are the ones it was chosen for, and others are found by their sources', async () => {
  const [first, second] = [await release(1, 'old'), await release(2, 'new')];
  await switchTo(second, 'new');
  expect((await releaseFor('new'))?.name).toBe(second.name);
  expect((await releaseFor('old'))?.name).toBe(first.name);
  expect(await releaseFor('unknown')).toBeNull();
});

test('a release that was gone back to stays until the sources change again', async () => {
  const [first, second] = [await release(1, 'old'), await release(2, 'new')];
  await switchTo(second, 'new');
  await switchTo(first, 'new');
  expect((await releaseFor('new'))?.name).toBe(first.name);
  expect((await currentRelease())?.name).toBe(first.name);
  expect(await releaseFor('newer')).toBeNull();
});

test('the command goes back to the release before, and says so of one that is not there', async () => {
  const [first, second] = [await release(1, 'old'), await release(2, 'new')];
  await switchTo(second, 'new');
  const choose = (...words: string[]) =>
    spawnSync(process.execPath, ['scripts/choose-release.ts', ...words], {
      cwd: PROJECT_FOLDER,
      env: { ...process.env, BUILD_DIR: basename(folder) },
      encoding: 'utf8',
    });
  expect(choose('use', 'previous')).toMatchObject({ status: 0 });
  expect((await currentRelease())?.name).toBe(first.name);
  const third = await release(3, 'newest');
  for (const name of [second.name, third.name]) {
    expect(choose('use', 'next')).toMatchObject({ status: 0 });
    expect((await currentRelease())?.name).toBe(name);
  }
  expect(choose('use', 'next')).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^there is no release next/),
  });
  await switchTo(first, 'new');
  expect(choose('use', 'nothing')).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^there is no release/),
  });
  expect(choose().stdout).toContain(`* ${first.name}`);
});

test('the two releases before the current one are kept, and any that a living process runs from', async () => {
  const releases = [];
  for (let second = 1; second <= 6; second += 1) releases.push(await release(second, `f${second}`));
  await switchTo(releases[5]!, 'f6');
  const script = join(releases[0]!.folder, 'src/main.ts');
  await writeFile(script, 'setInterval(() => {}, 1000); console.log("up");');
  const site = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'ignore'] });
  await new Promise((done) => site.stdout.once('data', done));
  expect((await pruneReleases()).sort()).toEqual([releases[1]!.name, releases[2]!.name]);
  const ended = new Promise((done) => site.once('exit', done));
  site.kill('SIGKILL');
  await ended;
  expect(await pruneReleases()).toEqual([releases[0]!.name]);
  expect((await listReleases()).map(({ name }) => name)).toEqual(
    [releases[5]!, releases[4]!, releases[3]!].map(({ name }) => name),
  );
});

test('what a build that was killed left behind is no release, and the next build removes it', async () => {
  const done = await release(1, 'done');
  await switchTo(done, 'done');
  const { folder: unfinished } = await beginRelease();
  expect(existsSync(join(unfinished, 'src/main.ts'))).toBe(true);
  expect(existsSync(join(unfinished, 'src/server/start/env.test.ts'))).toBe(false);
  // Of a process that lives no more.
  await writeFile(join(folder, 'build.lock'), `999999999 ${MACHINE} gone`);
  expect((await listReleases()).map(({ name }) => name)).toEqual([done.name]);
  const next = await withBuildLock(() => beginRelease());
  expect(existsSync(unfinished)).toBe(false);
  const made = await next.complete('next');
  expect((await releaseFor('next'))?.folder).toBe(made.folder);
  expect((await readdir(folder)).sort()).toEqual([done.name, made.name, 'current.json'].sort());
});

test('one builds at a time', async () => {
  const seen: string[] = [];
  let release = () => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  let began = () => {};
  const first = new Promise<void>((done) => {
    began = done;
  });
  const one = withBuildLock(async () => {
    seen.push('one began');
    began();
    await held;
    seen.push('one ended');
  });
  await first;
  const other = withBuildLock(async () => {
    seen.push('other');
  });
  release();
  await Promise.all([one, other]);
  expect(seen).toEqual(['one began', 'one ended', 'other']);
});
