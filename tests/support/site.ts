import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startEmbeddedPostgres } from '#db/embedded.ts';
import { isAlive } from '#db/lock-file.ts';

const root = resolve(import.meta.dirname, '../..');

/** The file of a temporary folder that names the process which made it. */
const OWNER = 'owner.pid';

/** A TCP port that nobody listens on. */
export async function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const server = createServer();
    server.once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => done(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

export type RunningSite = {
  url: string;
  dataDir: string;
  process: ChildProcess;
  /** Milliseconds from the start of the process until it was ready. */
  readyAfter: number;
  output: () => string;
  /** Ends the site with SIGTERM, waits for it, and removes its data. */
  stop: () => Promise<void>;
};

/** Builds the site, unless these sources are built, into a folder of its own: a developer's build stays as it is. */
export async function buildSite(
  buildDir: string,
  env: Record<string, string> = {},
  /** The project's folder. */
  project = root,
): Promise<void> {
  const child = spawn(process.execPath, ['scripts/build.ts', '--unless-built'], {
    cwd: project,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, BUILD_DIR: buildDir, NODE_ENV: 'production', ...env },
  });
  const code = await new Promise((done) => child.once('exit', done));
  if (code !== 0) throw new Error(`The build failed (exit ${code}).`);
}

/** Starts the built site as `npm start` does, on free ports with an empty database of its own. */
export async function startSite(options: {
  buildDir: string;
  port: number;
  env?: Record<string, string | undefined>;
  dataDir?: string;
  /** The project's folder; this one unless told otherwise. */
  project?: string;
}): Promise<RunningSite> {
  const ownFolder = options.dataDir === undefined;
  const dataDir = options.dataDir ?? (await temporaryFolder('academy-site-'));
  const url = `http://localhost:${options.port}`;
  const environment = { ...process.env };
  for (const name of [
    'DATABASE_URL',
    'STRIPE_SECRET_KEY',
    'STRIPE_PUBLISHABLE_KEY',
    'STRIPE_WEBHOOK_SECRET',
    'SMTP_URL',
  ]) {
    delete environment[name];
  }
  let output = '';
  const started = performance.now();
  const child = spawn(process.execPath, ['scripts/start.ts', '--built'], {
    cwd: options.project ?? root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...environment,
      NODE_ENV: 'production',
      // The example's firm does not; what the site then has is tried too.
      PORT: String(options.port),
      SITE_URL: url,
      DATA_DIR: dataDir,
      BUILD_DIR: options.buildDir,
      PAYMENT_SANDBOX_PORT: String(await freePort()),
      LOG_LEVEL: 'warn',
      ...options.env,
    },
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output = (output + chunk).slice(-200_000);
    });
  }
  const exited = new Promise<number | null>((done) => child.once('exit', done));
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
    if (ownFolder) await rm(dataDir, { recursive: true, force: true });
  };
  for (let attempt = 0; ; attempt += 1) {
    if (child.exitCode !== null) throw new Error(`The site ended at its start:\n${output}`);
    const ready = await fetch(`${url}/readyz`).then(
      (response) => response.ok,
      () => false,
    );
    if (ready) break;
    if (attempt > 1200) {
      await stop();
      throw new Error(`The site was not ready in time:\n${output}`);
    }
    await new Promise((done) => setTimeout(done, 50));
  }
  return {
    url,
    dataDir,
    process: child,
    readyAfter: performance.now() - started,
    output: () => output,
    stop,
  };
}

/**
 * The address of the database that a running site holds in its folder. Signs off at once: a second user would keep the
 * server up after the site.
 */
export async function databaseOf(dataDir: string): Promise<string> {
  const server = await startEmbeddedPostgres({ dataDir });
  await server.stop();
  return server.url;
}

/**
 * A new folder that other users may pass through: as root the embedded server runs as another user, and it would have
 * to keep its data elsewhere.
 */
export async function temporaryFolder(prefix: string): Promise<string> {
  await removeLeftOvers(prefix);
  const folder = await mkdtemp(join(tmpdir(), prefix));
  await chmod(folder, 0o711);
  await writeFile(join(folder, OWNER), String(process.pid));
  return folder;
}

/** Ends the databases and removes the folders of runs that were killed before they could. */
async function removeLeftOvers(prefix: string): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(prefix)) continue;
    const folder = join(tmpdir(), name);
    const owner = Number.parseInt(await readFile(join(folder, OWNER), 'utf8').catch(() => ''), 10);
    if (!owner || isAlive(owner)) continue;
    if (existsSync(join(folder, 'postgres', 'postmaster.pid'))) await databaseOf(folder);
    await rm(folder, { recursive: true, force: true });
  }
}
