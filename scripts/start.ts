import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigurationError } from '#src/server/start/env.ts';
import { checkStart } from '#src/server/start/start-checks.ts';
import { buildFingerprint } from './build.ts';
import { currentRelease, type Release, releaseFor } from './releases.ts';

// Finds or builds the release of the sources and becomes its process; `--built` starts the current release
// whatever the sources are.

// Without a listener Node answers this one by opening its inspector to every program of the machine.
process.on('SIGUSR1', () => {});

/** A young generation of 16 MB from the first moment spares half of the collections. */
const MEMORY_FLAGS = ['--min-semi-space-size=16', '--max-semi-space-size=16', '--max-old-space-size=320'];

/** A process of its own: its memory is gone when the site starts. */
async function build(): Promise<boolean> {
  const script = fileURLToPath(new URL('./build.ts', import.meta.url));
  const child = spawn(process.execPath, [script, '--for-start'], { stdio: 'inherit' });
  let stopped = false;
  const stop = () => {
    stopped = true;
    child.kill('SIGTERM');
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);
  const code = await new Promise<number | null>((done, fail) => {
    child.once('error', fail);
    child.once('exit', done);
  });
  if (stopped) process.exit(0);
  return code === 0;
}

async function releaseToStart(): Promise<Release> {
  if (process.argv.includes('--built')) {
    const current = await currentRelease();
    if (current) return current;
    throw new ConfigurationError('nothing has been built in BUILD_DIR yet: run "npm run build"');
  }
  const found = await releaseFor(await buildFingerprint());
  if (found) return found;
  console.log('Building the site, as its sources changed since the last build …');
  if (!(await build())) process.exit(1);
  return (await releaseFor(await buildFingerprint())) ?? (await currentRelease())!;
}

try {
  await checkStart();
  const { folder } = await releaseToStart();
  // Decides which React is loaded, so it has to stand before anything is imported.
  process.env.NODE_ENV ??= 'production';
  // The same process goes on with the release's code: one to signal, and its command line names what it runs from.
  process.execve!(
    process.execPath,
    [process.execPath, ...process.execArgv, ...MEMORY_FLAGS, join(folder, 'src/main.ts')],
    process.env as Record<string, string>,
  );
} catch (error) {
  console.error(error instanceof ConfigurationError ? `Configuration: ${error.message}` : error);
  process.exit(1);
}
