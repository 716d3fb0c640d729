import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

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
export async function buildSite(buildDir: string, env: Record<string, string> = {}): Promise<void> {
  const child = spawn(process.execPath, ['scripts/build.ts', '--unless-built'], {
    cwd: root,
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
 * A new folder that other users may pass through: as root the embedded server runs as another user, and it would have
 * to keep its data elsewhere.
 */
export async function temporaryFolder(prefix: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), prefix));
  await chmod(folder, 0o711);
  return folder;
}
