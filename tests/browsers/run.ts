import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildSite, freePort, startSite } from '../support/site.ts';
import { makeCourse } from './course.ts';
import { ENGINES, type Engine } from './engines.ts';
import { mainJob } from './main-job.ts';
import { Person } from './person.ts';

// Drives the main job by keyboard in the engines of other browsers than Chromium, over a production build of its own.
// `npm run test:browsers -- WebKit` runs one of them. A browser that is missing fails the run.
const root = resolve(import.meta.dirname, '../..');
/** A browser that hangs answers nothing at all. */
const STEP_MS = 180_000;

function isDebian(): boolean {
  const file = '/etc/os-release';
  return existsSync(file) && /^ID(_LIKE)?=.*(debian|ubuntu)/m.test(readFileSync(file, 'utf8'));
}

/** Installs what is missing where that is ours to do; else ends the run with the command that does it. */
function provide(engines: readonly Engine[]): void {
  const missing = () => engines.filter((engine) => !engine.find());
  if (missing().length === 0) return;
  const install = [
    'install',
    '-y',
    '--no-install-recommends',
    ...missing().flatMap(({ packages }) => packages),
  ];
  if (process.getuid?.() === 0 && isDebian()) {
    spawnSync('apt-get', ['update', '-qq'], { stdio: 'inherit' });
    spawnSync('apt-get', install, { stdio: ['ignore', 'ignore', 'inherit'] });
  }
  if (missing().length === 0) return;
  const names = missing().map(({ name }) => name);
  console.error(
    `${names.join(' and ')} missing: run "sudo apt-get ${install.join(' ')}" on Debian or Ubuntu.`,
  );
  process.exit(1);
}

const wanted = process.argv.slice(2).map((name) => name.toLowerCase());
const engines = ENGINES.filter(({ name }) => wanted.length === 0 || wanted.includes(name.toLowerCase()));
if (engines.length === 0) {
  console.error(`No such browser; there are ${ENGINES.map(({ name }) => name).join(' and ')}.`);
  process.exit(1);
}
provide(engines);

const buildDir = process.env.BUILD_DIR ?? 'dist-browsers';
const port = await freePort();
await buildSite(buildDir);
const site = await startSite({ buildDir, port });
const failures: string[] = [];
let passed = 0;
try {
  const course = await makeCourse(site.url);
  for (const engine of engines) await drive(engine, course);
} finally {
  await site.stop();
}
console.log(`\n${passed} passed, ${failures.length} failed`);
// Whatever of a browser still hangs is left behind.
process.exit(failures.length > 0 ? 1 : 0);

/** The whole job in one engine; what follows a failed step is not tried. */
async function drive(engine: Engine, course: { id: number; title: string }): Promise<void> {
  const browser = await engine.open();
  const person = new Person(browser, site.url);
  try {
    for (const [what, act] of mainJob(`${engine.name.toLowerCase()}@example.com`, course)) {
      const began = Date.now();
      try {
        await inTime(act(person), STEP_MS, what);
        passed += 1;
        console.log(`✓ ${engine.name}: a newcomer ${what} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
      } catch (error) {
        failures.push(what);
        const folder = join(root, 'test-results', 'browsers');
        mkdirSync(folder, { recursive: true });
        const file = join(folder, `${engine.name}.png`);
        const picture = await inTime(browser.picture(), 10_000, 'a picture').catch(() => null);
        if (picture) writeFileSync(file, picture);
        console.error(
          `✗ ${engine.name}: a newcomer ${what}\n${(error as Error).message}\n${picture ? `See ${file}` : ''}`,
        );
        return;
      }
    }
  } finally {
    await inTime(browser.close(), 10_000, 'the end').catch(() => {});
  }
}

function inTime<T>(work: Promise<T>, ms: number, what: string): Promise<T> {
  const late = sleep(ms, undefined, { ref: false }).then((): never => {
    throw new Error(`Waited in vain for ${what}.`);
  });
  return Promise.race([work, late]);
}
