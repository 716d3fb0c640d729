import { spawn } from 'node:child_process';
import { readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isAlive } from '#db/lock-file.ts';
import { findBrowser } from '../support/browser.ts';
import { buildSite, freePort, startSite } from '../support/site.ts';

// Builds the site, starts it with an empty database of its own, drives it in Chromium, and stops it.
// Arguments go to Playwright: `npm run test:e2e -- --project phone main-job`.
const root = resolve(import.meta.dirname, '../..');
const buildDir = process.env.BUILD_DIR ?? 'dist-e2e';
const RESULTS = 'browser-';

/** Two runs side by side keep their traces apart; those of runs that ended go when the next one begins. */
async function ownResults(): Promise<string> {
  const folder = join(root, 'test-results');
  for (const name of await readdir(folder).catch(() => [])) {
    const owner = Number(name.slice(RESULTS.length));
    if (name.startsWith(RESULTS) && !isAlive(owner))
      await rm(join(folder, name), { recursive: true, force: true });
  }
  return `${RESULTS}${process.pid}`;
}

async function driveSite(): Promise<number> {
  const browser = findBrowser();
  await buildSite(buildDir, { BUILD_FOR_TESTS: '1' });
  // Tests come from addresses of their own, as visitors behind a proxy do (tests/e2e/fixtures.ts).
  const site = await startSite({
    buildDir,
    port: await freePort(),
    env: { TRUST_PROXY: '127.0.0.1,::1' },
  });
  const tests = spawn(
    process.execPath,
    [
      'node_modules/@playwright/test/cli.js',
      'test',
      '--config',
      'tests/playwright.config.ts',
      ...process.argv.slice(2),
    ],
    {
      cwd: root,
      stdio: 'inherit',
      env: {
        ...process.env,
        TEST_RESULTS: await ownResults(),
        BUILD_DIR: buildDir,
        SITE_URL: site.url,
        SITE_DATA_DIR: site.dataDir,
        CHROMIUM_PATH: browser,
      },
    },
  );
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => tests.kill(signal));
  const code = await new Promise<number | null>((done) => tests.once('exit', done));
  if (code !== 0) console.error(`What the site said last:\n${site.output().slice(-4000)}`);
  await site.stop();
  return code ?? 1;
}

try {
  process.exitCode = await driveSite();
} catch (error) {
  console.error(`The browser tests could not begin: ${(error as Error).message}`);
  process.exitCode = 1;
}
