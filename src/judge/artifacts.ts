import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { setPriority } from 'node:os';
import { join, relative, resolve, sep } from 'node:path';
import { POOLS } from './pools.ts';
import type { Pool } from './runner.ts';

export const PROJECT = resolve(import.meta.dirname, '../..');
const SOURCES = join(PROJECT, 'src/judge');
/** Beside the packages, so that a bundled child finds them. */
const CACHE = join(PROJECT, 'node_modules/.cache/judge');
const PACKAGES = [
  '@electric-sql/pglite',
  'acorn',
  'esbuild',
  'isolated-vm',
  'jsdom',
  'pyodide',
  'react',
  'react-dom',
  'sucrase',
  'ts-blank-space',
  'typescript',
];
const BUILD_TIMEOUT_MS = 180_000;
const OLD_AFTER_MS = 10 * 60_000;
const KEPT_PER_LANE = 4;
/** Written last: a folder without it is half made. */
const COMPLETE = 'complete.json';

const MODULES = join(PROJECT, 'node_modules');
/** Permission flags need absolute paths; linked packages are read at the link's end. */
export const READABLE = [
  ...new Set([MODULES, realpathSync(MODULES), SOURCES, join(PROJECT, 'package.json')]),
];

/** No secret of the site is in it. */
export function childEnvironment(): Record<string, string> {
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  // Spares the add-on loader a look at files outside the project. Dates are the same on every machine.
  return { LIBC: header.glibcVersionRuntime ? 'glibc' : 'musl', TZ: 'UTC' };
}

function belongsElsewhere(path: string, pool: Pool): boolean {
  const [folder, file = ''] = path.split(sep);
  if (folder !== 'languages') return false;
  // A language may run another one's sandbox.
  const { runners, sandboxes } = POOLS[pool];
  const used = Object.values(sandboxes).map((source) => source.split('/', 1)[0]!);
  const mine = [...runners, ...used].some((name) => file.startsWith(name));
  const others = Object.values(POOLS).flatMap((other) => other.runners);
  return !mine && others.some((name) => file.startsWith(name));
}

function poolKey(pool: Pool): string {
  const hash = createHash('sha256');
  hash.update([process.version, process.versions.v8, process.arch, ...POOLS[pool].engineFlags].join(' '));
  for (const name of PACKAGES) {
    const file = join(PROJECT, 'node_modules', name, 'package.json');
    if (existsSync(file)) hash.update(`${name} ${JSON.parse(readFileSync(file, 'utf8')).version}\n`);
  }
  const files = readdirSync(SOURCES, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => relative(SOURCES, join(entry.parentPath, entry.name)))
    .filter((path) => !belongsElsewhere(path, pool))
    .sort();
  for (const path of files) hash.update(`${path}\n`).update(readFileSync(join(SOURCES, path)));
  return hash.digest('hex').slice(0, 20);
}

function poolFolder(pool: Pool): string {
  return join(CACHE, `${pool}-${poolKey(pool)}`);
}

const BUNDLE = {
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node24',
  legalComments: 'none',
  logLevel: 'silent',
} as const;

/** One file of plain JavaScript each: an engine without WebAssembly cannot strip types. */
async function bundleChild(pool: Pool, folder: string): Promise<string[]> {
  const { build } = await import('esbuild');
  await build({ ...BUNDLE, entryPoints: [join(SOURCES, 'child.ts')], outfile: join(folder, 'child.mjs') });
  const problems = await Promise.all(
    POOLS[pool].runners.map((name) =>
      build({
        ...BUNDLE,
        entryPoints: [join(SOURCES, 'languages', `${name}.ts`)],
        outfile: join(folder, `${name}.mjs`),
      }).then(
        () => null,
        (error: Error) => `${name}: ${error.message}`,
      ),
    ),
  );
  return problems.filter((problem) => problem !== null);
}

async function bundleSandboxes(pool: Pool, folder: string): Promise<void> {
  const { build } = await import('esbuild');
  for (const [name, source] of Object.entries(POOLS[pool].sandboxes)) {
    await build({
      entryPoints: [join(SOURCES, 'languages', source)],
      outfile: join(folder, name),
      bundle: true,
      platform: 'neutral',
      mainFields: ['module', 'main'],
      // Branches for Node that a library has, and that never run in an isolate.
      external: [...builtinModules, 'node:*'],
      define: { 'import.meta.url': '"file:///isolate"' },
      format: 'iife',
      target: 'es2024',
      // A function that is not strict would give itself away to those it calls.
      banner: { js: '"use strict";' },
      legalComments: 'none',
      logLevel: 'silent',
    });
  }
}

async function runBuilder(pool: Pool, folder: string): Promise<void> {
  const child = spawn(
    process.execPath,
    ['--no-node-snapshot', ...POOLS[pool].engineFlags, join(folder, 'child.mjs'), 'build', pool, folder],
    { cwd: PROJECT, env: childEnvironment(), stdio: ['ignore', 'ignore', 'pipe'] },
  );
  // It often runs beside a site that already answers.
  if (child.pid) setPriority(child.pid, 10);
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaint = `${complaint}${chunk}`.slice(-4_000);
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), BUILD_TIMEOUT_MS);
  const [code, signal] = await new Promise<[number | null, string | null]>((done, fail) => {
    child.once('error', fail);
    child.once('close', (...how) => done(how));
  }).finally(() => clearTimeout(timer));
  if (code !== 0)
    throw new Error(`building the ${pool} pool ended with ${signal ?? code}: ${complaint.trim()}`);
}

async function removeOld(pool: Pool, keep: string): Promise<void> {
  const found: { path: string; mtimeMs: number }[] = [];
  for (const name of await readdir(CACHE).catch(() => [])) {
    const path = join(CACHE, name);
    if (path === keep || !(name.startsWith(`${pool}-`) || name.startsWith('.draft-'))) continue;
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > OLD_AFTER_MS) found.push({ path, mtimeMs });
  }
  found.sort((a, b) => b.mtimeMs - a.mtimeMs);
  for (const { path } of found.slice(KEPT_PER_LANE)) await rm(path, { recursive: true, force: true });
}

function problemIn(folder: string): string | null {
  const complete = join(folder, COMPLETE);
  if (!existsSync(complete)) return null;
  return (JSON.parse(readFileSync(complete, 'utf8')) as { problem: string | null }).problem;
}

async function buildPool(pool: Pool, folder: string): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  // Beside its final place: two builders at once each finish, and the second finds the work done.
  const draft = await mkdtemp(join(CACHE, '.draft-'));
  try {
    const [problems] = await Promise.all([bundleChild(pool, draft), bundleSandboxes(pool, draft)]);
    await runBuilder(pool, draft).catch((error: Error) => problems.push(error.message));
    const problem = problems.length > 0 ? problems.join('\n') : null;
    await writeFile(join(draft, COMPLETE), JSON.stringify({ problem }));
    // Who builds is often another user than who runs, and may have made all of this its own alone.
    for (const name of await readdir(draft)) await chmod(join(draft, name), 0o644);
    await chmod(draft, 0o755);
    // One that an earlier build did not finish well is in the way.
    if (problemIn(folder)) await rm(folder, { recursive: true, force: true });
    await rename(draft, folder).catch(async (error: unknown) => {
      if (!existsSync(join(folder, COMPLETE))) throw error;
    });
    await removeOld(pool, folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

const building = new Map<string, Promise<void>>();

export interface BuiltPool {
  folder: string;
  entry: string;
  problem: string | null;
  tookMs: number | null;
}

/** Built where it is missing or stale. */
export async function ensurePool(pool: Pool): Promise<BuiltPool> {
  const folder = poolFolder(pool);
  const complete = join(folder, COMPLETE);
  let tookMs: number | null = null;
  if (!existsSync(complete) || problemIn(folder)) {
    const started = performance.now();
    let under = building.get(folder);
    if (!under) {
      under = buildPool(pool, folder).finally(() => building.delete(folder));
      building.set(folder, under);
    }
    await under;
    tookMs = Math.round(performance.now() - started);
  } else {
    // Marks it as in use, for the removal of old ones.
    await utimes(folder, new Date(), new Date()).catch(() => {});
  }
  return { folder, entry: join(folder, 'child.mjs'), problem: problemIn(folder), tookMs };
}

export function isPoolBuilt(pool: Pool): boolean {
  return existsSync(join(poolFolder(pool), COMPLETE));
}
