import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { ConfigurationError, env, PROJECT_FOLDER, setEnvironment } from '#src/server/start/env.ts';
import { BUILT_SITE_URL, precompressFiles } from '#src/server/http/static-files.ts';
import { checkContent } from './check-content.ts';
import {
  beginRelease,
  pruneReleases,
  type Release,
  releaseFor,
  switchTo,
  withBuildLock,
} from './releases.ts';

const SOURCES = [
  'src',
  'public',
  'db',
  'astro.config.mjs',
  'walls',
  'vite-plugins',
  'tsconfig.json',
  'package-lock.json',
];

async function sourceFiles(): Promise<string[]> {
  const files: string[] = [];
  for (const source of SOURCES) {
    const path = join(PROJECT_FOLDER, source);
    if (!existsSync(path)) continue;
    if ((await stat(path)).isFile()) {
      files.push(path);
      continue;
    }
    for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) files.push(join(entry.parentPath, entry.name));
    }
  }
  return files.filter((path) => !/\.test\.tsx?$/.test(path)).sort();
}

/** Changes whenever a release would come out differently; times of files do not count. */
export async function buildFingerprint(): Promise<string> {
  const hash = createHash('sha256');
  hash.update(
    JSON.stringify({
      astroKey: env().astroKey,
      node: process.version,
      benchPages: process.env.BENCH_PAGES,
      forTests: process.env.BUILD_FOR_TESTS,
    }),
  );
  for (const path of await sourceFiles()) {
    hash.update(`\n${relative(PROJECT_FOLDER, path)}\n`).update(await readFile(path));
  }
  return hash.digest('hex');
}

async function buildSite(): Promise<Release> {
  const started = performance.now();
  await checkContent();
  const fingerprint = await buildFingerprint();
  const { folder, complete } = await beginRelease();
  // The address is put into the pages when they are loaded, so that a release serves any.
  setEnvironment({ SITE_URL: BUILT_SITE_URL });
  const { build } = await import('astro');
  await build({ root: PROJECT_FOLDER, outDir: join(folder, 'site'), logLevel: 'warn' });
  const compressed = await precompressFiles(join(folder, 'site/client'), {
    isHurried: Boolean(process.env.BUILD_FOR_TESTS),
  });
  if ((await buildFingerprint()) !== fingerprint) {
    throw new ConfigurationError('the sources changed during the build: build again');
  }
  const release = await complete(fingerprint);
  await switchTo(release, fingerprint);
  await pruneReleases();
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(
    `Built the site in ${seconds} s (${compressed} files compressed) into ${relative(PROJECT_FOLDER, folder)}/`,
  );
  return release;
}

if (import.meta.main) {
  const forStart = process.argv.includes('--for-start');
  const unlessBuilt = forStart || process.argv.includes('--unless-built');
  try {
    await withBuildLock(async () => {
      // Another start, or the stage before the browser tests, may have built the same.
      const fingerprint = await buildFingerprint();
      const built = unlessBuilt && (await releaseFor(fingerprint));
      // It may be older than the last one: the sources were taken back.
      if (built) await switchTo(built, fingerprint);
      else await buildSite();
    });
    // A start cannot wait for it: the judge then builds what it lacks in the background.
    if (!forStart) {
      const { buildJudge } = await import('./build-judge.ts');
      await buildJudge();
    }
    // Tools of the build may keep handles open.
    process.exit(0);
  } catch (error) {
    console.error(error instanceof ConfigurationError ? `Configuration: ${error.message}` : error);
    process.exit(1);
  }
}
