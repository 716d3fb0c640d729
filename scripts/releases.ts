import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { LockHeld, takeLock } from '#db/lock-file.ts';
import { ConfigurationError, env, PROJECT_FOLDER } from '#src/server/start/env.ts';

// A release is a folder in BUILD_DIR with all that a start needs; it never changes, and `current.json` says
// which one starts.

/** Written last: a folder without it is half made. */
const COMPLETE = 'release.json';
const CURRENT = 'current.json';
const NAME = /^\d{8}-\d{6}-[0-9a-f]{4}$/;
const COPIED = ['src', 'db'];
const KEPT_BEFORE = 2;
const LOCK_WAIT_MS = 15 * 60_000;
// Bundling holds the process up for seconds on a busy machine.
const LOCK_STALE_MS = 120_000;

export interface Release {
  name: string;
  folder: string;
  fingerprint: string;
  builtAt: string;
}

type Pointer = { release: string; fingerprint: string };

const isTest = (path: string) => /\.test\.tsx?$/.test(path);

async function readJson<T>(path: string): Promise<T | null> {
  return readFile(path, 'utf8').then(
    (text) => JSON.parse(text) as T,
    () => null,
  );
}

async function releaseNames(): Promise<string[]> {
  const names = await readdir(env().buildDir).catch(() => []);
  return names.filter((name) => NAME.test(name)).sort();
}

/** The complete releases, newest first. */
export async function listReleases(): Promise<Release[]> {
  const { buildDir } = env();
  const found = await Promise.all(
    (await releaseNames()).map(async (name) => {
      const folder = join(buildDir, name);
      const facts = await readJson<Pick<Release, 'fingerprint' | 'builtAt'>>(join(folder, COMPLETE));
      return facts && { name, folder, ...facts };
    }),
  );
  return found.filter((release) => release !== null).reverse();
}

const readPointer = () => readJson<Pointer>(join(env().buildDir, CURRENT));

/** The release that starts next, whatever the sources are. */
export async function currentRelease(): Promise<Release | null> {
  const pointer = await readPointer();
  return (await listReleases()).find(({ name }) => name === pointer?.release) ?? null;
}

/**
 * The release for the sources as they are, or null; one chosen by hand stays until the sources change again.
 */
export async function releaseFor(fingerprint: string): Promise<Release | null> {
  const [pointer, releases] = await Promise.all([readPointer(), listReleases()]);
  const chosen = releases.find(({ name }) => name === pointer?.release);
  if (chosen && pointer?.fingerprint === fingerprint) return chosen;
  return releases.find((release) => release.fingerprint === fingerprint) ?? null;
}

/** Makes a release the one that starts from now on. */
export async function switchTo(release: Release, fingerprint: string): Promise<void> {
  const path = join(env().buildDir, CURRENT);
  const draft = `${path}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, `${JSON.stringify({ release: release.name, fingerprint } satisfies Pointer)}\n`);
  await rename(draft, path);
}

/** Runs what one process at a time may do to the build folder. */
export async function withBuildLock<T>(work: () => Promise<T>): Promise<T> {
  const { buildDir } = env();
  const shown = relative(PROJECT_FOLDER, buildDir);
  const unlock = await (async () => {
    try {
      await mkdir(buildDir, { recursive: true });
      return await takeLock(join(buildDir, 'build.lock'), {
        waitMs: LOCK_WAIT_MS,
        staleMs: LOCK_STALE_MS,
        onWait: (owner) =>
          console.log(`Waiting for process ${owner ?? 'unknown'}, which builds in ${shown} …`),
      });
    } catch (error) {
      throw new ConfigurationError(
        error instanceof LockHeld
          ? `process ${error.owner ?? 'unknown'} has been building in BUILD_DIR ${shown} for ${LOCK_WAIT_MS / 60_000} minutes: end it, then try again`
          : `BUILD_DIR ${shown} cannot be written (${(error as NodeJS.ErrnoException).code}): build as a user who may, or set BUILD_DIR to another folder`,
      );
    }
  })();
  try {
    return await work();
  } finally {
    await unlock();
  }
}

/** Makes a folder for a new release and fills it with what a build needs of it. */
export async function beginRelease(): Promise<{
  folder: string;
  complete: (fingerprint: string) => Promise<Release>;
}> {
  const { buildDir } = env();
  for (const name of await releaseNames()) {
    // Left behind by a build that was ended; nobody else builds, and nobody starts from it.
    if (!(await readJson(join(buildDir, name, COMPLETE)))) {
      await rm(join(buildDir, name), { recursive: true, force: true });
    }
  }
  const now = new Date().toISOString().replaceAll('-', '').replaceAll(':', '').slice(0, 15).replace('T', '-');
  const name = `${now}-${randomBytes(2).toString('hex')}`;
  const folder = join(buildDir, name);
  await mkdir(folder);
  const manifest = await readJson<Record<string, unknown>>(join(PROJECT_FOLDER, 'package.json'));
  const { name: title, version, type, imports } = manifest!;
  const own = { name: title, version, private: true, type, imports };
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ ...own, releaseOf: relative(folder, PROJECT_FOLDER) }, null, 2),
  );
  await symlink(join(relative(folder, PROJECT_FOLDER), 'node_modules'), join(folder, 'node_modules'));
  for (const part of COPIED) {
    await cp(join(PROJECT_FOLDER, part), join(folder, part), {
      recursive: true,
      filter: (path) => !isTest(path),
    });
  }
  return {
    folder,
    async complete(fingerprint) {
      const facts = { fingerprint, builtAt: new Date().toISOString() };
      const draft = join(folder, `${COMPLETE}.draft`);
      await writeFile(draft, `${JSON.stringify(facts)}\n`);
      await rename(draft, join(folder, COMPLETE));
      return { name, folder, ...facts };
    },
  };
}

async function commandLines(): Promise<string[]> {
  if (process.platform !== 'linux') return [execFileSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' })];
  const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  return Promise.all(processes.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')));
}

/** Removes the releases that nobody needs: older than the two before the current one, and no living process's. */
export async function pruneReleases(): Promise<string[]> {
  const current = await currentRelease();
  const before = (await listReleases()).filter(({ name }) => current && name < current.name);
  const running = await commandLines();
  const unused = before
    .slice(KEPT_BEFORE)
    .filter(({ name }) => !running.some((commandLine) => commandLine.includes(`${name}/`)));
  for (const { folder } of unused) {
    // First of all it is no release any more, should the removal be cut short.
    await rm(join(folder, COMPLETE), { force: true });
    await rm(folder, { recursive: true, force: true });
  }
  return unused.map(({ name }) => name);
}
