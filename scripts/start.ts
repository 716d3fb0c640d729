import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

// Decides which React is loaded, so it has to stand before anything is imported.
process.env.NODE_ENV ??= 'production';

/** Builds in a process of its own, whose memory is gone when the site starts; a signal ends both. */
async function build(): Promise<boolean> {
  const script = fileURLToPath(new URL('./build.ts', import.meta.url));
  const child = spawn(process.execPath, [script, '--site-only'], { stdio: 'inherit' });
  let stopped = false;
  const stop = () => {
    stopped = true;
    child.kill('SIGTERM');
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  const code = await new Promise<number | null>((done, fail) => {
    child.once('error', fail);
    child.once('exit', done);
  });
  process.off('SIGTERM', stop);
  process.off('SIGINT', stop);
  if (stopped) process.exit(0);
  return code === 0;
}

/**
 * Ends the site in good order when npm is gone: npm hands signals to the shell that it runs scripts in, and a shell
 * that is no `exec` dies of them without telling us.
 */
function endWithParent(): void {
  const parent = process.ppid;
  if (!process.env.npm_lifecycle_event || parent === 1) return;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 500);
  watch.unref();
}

async function start(): Promise<void> {
  endWithParent();
  const { ConfigurationError } = await import('../src/server/env.ts');
  const { isBuildCurrent } = await import('./build.ts');
  try {
    if (!(await isBuildCurrent())) {
      console.log('Building the site, as its sources changed since the last build …');
      if (!(await build())) process.exit(1);
    }
  } catch (error) {
    console.error(error instanceof ConfigurationError ? `Configuration: ${error.message}` : error);
    process.exit(1);
  }
  await import('../src/main.ts');
}

await start();
