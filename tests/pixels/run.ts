import { execFileSync, spawn } from 'node:child_process';
import { existsSync, globSync, mkdirSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { findBrowser } from '../support/browser.ts';
import { buildSite, freePort, startSite } from '../support/site.ts';

// Shows that a change moves nothing: takes pictures of the pages of a revision, and compares the pages of the working tree
// with them, pixel by pixel. `npm run pixels -- REVISION [arguments of Playwright]`.
const root = resolve(import.meta.dirname, '../..');
const folder = join(root, 'test-results/pixels');
const pictures = join(folder, 'before');
const differences = join(folder, 'differences');
const BUILD_DIR = 'dist-e2e';
const BUILD_FOR_TESTS = { BUILD_FOR_TESTS: '1' };

const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

/** The project as a revision has it, with the packages of today; it stays there, so that its build is made once. */
function projectAt(revision: string): string {
  const project = join(root, 'dist-pixels', revision);
  if (existsSync(join(project, 'node_modules'))) return project;
  mkdirSync(project, { recursive: true });
  execFileSync('sh', ['-c', 'git archive "$1" | tar -x -C "$2"', 'sh', revision, project], { cwd: root });
  execFileSync('cp', ['-al', join(root, 'node_modules'), join(project, 'node_modules')]);
  // What tools keep for themselves must not be shared.
  for (const name of ['.vite', '.astro', '.cache'])
    rmSync(join(project, 'node_modules', name), { recursive: true, force: true });
  return project;
}

/** Looks at every state of one build. Both are served from the same port, since some pages show their address. */
async function look(project: string, port: number, mode: 'all' | 'none', args: string[]): Promise<number> {
  await buildSite(BUILD_DIR, BUILD_FOR_TESTS, project);
  const site = await startSite({
    buildDir: BUILD_DIR,
    port,
    env: { TRUST_PROXY: '127.0.0.1,::1' },
    project,
  });
  const config = join(import.meta.dirname, 'playwright.config.ts');
  const tests = spawn(
    process.execPath,
    ['node_modules/@playwright/test/cli.js', 'test', '--config', config, '--update-snapshots', mode, ...args],
    {
      cwd: root,
      stdio: 'inherit',
      env: {
        ...process.env,
        SITE_URL: site.url,
        SITE_DATA_DIR: site.dataDir,
        CHROMIUM_PATH: findBrowser(),
        PIXELS_BEFORE: pictures,
        PIXELS_DIFFERENCES: differences,
      },
    },
  );
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => tests.kill(signal));
  const code = await new Promise<number | null>((done) => tests.once('exit', done));
  await site.stop();
  return code ?? 1;
}

const [wanted, ...args] = process.argv.slice(2);
if (!wanted) {
  console.error('Say what to compare with: npm run pixels -- REVISION');
  process.exit(1);
}
const revision = git('rev-parse', '--verify', `${wanted}^{commit}`);
const port = await freePort();
for (const one of [pictures, differences]) rmSync(one, { recursive: true, force: true });
console.log(`Pictures of ${revision.slice(0, 7)}:`);
const before = await look(projectAt(revision), port, 'all', args);
console.log('The working tree, compared with them:');
const after = await look(root, port, 'none', args);
const taken = globSync('*.png', { cwd: pictures });
const moved = globSync('**/*-actual.png', { cwd: differences });
const names = moved.map((name) => basename(name).replace('-actual.png', ''));
console.log(`${taken.length} pictures of ${revision.slice(0, 7)}, ${names.length} differ from it.`);
for (const name of names.sort()) console.log(`  ${name}`);
if (names.length > 0) console.log(`Both pictures of each, and where they differ: ${differences}`);
process.exitCode = before || after;
