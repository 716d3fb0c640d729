import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { ConfigurationError, env, PROJECT_FOLDER } from '../src/server/env.ts';
import { precompressFiles } from '../src/server/static-files.ts';

/** What a build is made of. Tests, and programs that pages never import, are left out. */
const SOURCES = [
  'src',
  'public',
  'db',
  'astro.config.mjs',
  'vite-walls.ts',
  'tsconfig.json',
  'package-lock.json',
];
const NOT_BUILT = /(\.test\.tsx?|^db\/(seed|migrations)\/.*|^src\/(payment-sandbox|judge)\/.*)$/;

const stampFile = () => join(env().buildDir, 'build-stamp.json');

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
  return files.filter((path) => !NOT_BUILT.test(relative(PROJECT_FOLDER, path))).sort();
}

/**
 * A value that changes whenever a build would come out differently: names, sizes and times of the sources, and the
 * settings that are baked into pages. Removed and renamed files change it too, which the newest time alone would miss.
 */
export async function buildFingerprint(): Promise<string> {
  const hash = createHash('sha256');
  const { siteUrl, astroKey } = env();
  hash.update(JSON.stringify({ siteUrl, astroKey, node: process.version }));
  for (const path of await sourceFiles()) {
    const { mtimeMs, size } = await stat(path);
    hash.update(`${relative(PROJECT_FOLDER, path)} ${mtimeMs} ${size}\n`);
  }
  return hash.digest('hex');
}

/** True when the build folder holds a complete build of the sources as they are. */
export async function isBuildCurrent(): Promise<boolean> {
  const stamp = await readFile(stampFile(), 'utf8').catch(() => null);
  if (!stamp || !existsSync(join(env().buildDir, 'server/entry.mjs'))) return false;
  return (JSON.parse(stamp) as { fingerprint?: string }).fingerprint === (await buildFingerprint());
}

async function buildSite(): Promise<void> {
  const started = performance.now();
  // Taken first: a source that changes while we build makes the next start build again.
  const fingerprint = await buildFingerprint();
  await rm(stampFile(), { force: true });
  const { build } = await import('astro');
  await build({ root: PROJECT_FOLDER, logLevel: 'warn' });
  const compressed = await precompressFiles(join(env().buildDir, 'client'));
  await writeFile(stampFile(), `${JSON.stringify({ fingerprint, builtAt: new Date().toISOString() })}\n`);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(
    `Built the site in ${seconds} s (${compressed} files compressed) into ${relative(PROJECT_FOLDER, env().buildDir)}/`,
  );
}

if (import.meta.main) {
  try {
    await buildSite();
    // A start cannot wait for it: the judge then builds what it lacks in the background.
    if (!process.argv.includes('--site-only')) {
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
