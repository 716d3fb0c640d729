import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../support/site.ts';
import { ask, type Drill, load, must, READS, told, until } from './drill.ts';

/**
 * A terminal with a shell in it, as somebody has who types `npm start`: what is written to this program's input is typed,
 * and at the input's end the terminal is closed.
 */
const TERMINAL = `
import os, pty, select, sys
shell, screen = pty.fork()
if shell == 0:
    os.execvp('bash', ['bash', '--norc', '--noprofile', '-i'])
while True:
    for ready in select.select([0, screen], [], [])[0]:
        try:
            data = os.read(ready, 65536)
        except OSError:
            data = b''
        if not data:
            os.close(screen)
            os.waitpid(shell, 0)
            sys.exit()
        os.write(screen if ready == 0 else 1, data)
`;

/** The processes that were begun with a mark in their environment or name a folder in their command line. */
function processesOf(mark: string, folder: string): string[] {
  const found: string[] = [];
  for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const commandLine = readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\0', ' ');
      if (commandLine.includes(folder) || readFileSync(`/proc/${id}/environ`, 'utf8').includes(mark)) {
        found.push(`${id} ${commandLine.slice(0, 80)}`);
      }
    } catch {
      // It ended meanwhile, or is another user's.
    }
  }
  return found;
}

const root = resolve(import.meta.dirname, '../..');

type Begun = { child: ChildProcess; output: () => string };

function begin(command: string, args: string[], env: Record<string, string>): Begun {
  const child = spawn(command, args, {
    cwd: root,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output = (output + chunk).slice(-20_000);
    });
  }
  return { child, output: () => output };
}

/** How a start of the site is begun and how it is told to end. */
const WAYS: readonly { what: string; terminal: boolean; end: (begun: Begun) => void }[] = [
  { what: 'SIGTERM to the group', terminal: false, end: ({ child }) => process.kill(-child.pid!, 'SIGTERM') },
  { what: 'SIGINT to the group', terminal: false, end: ({ child }) => process.kill(-child.pid!, 'SIGINT') },
  { what: 'Ctrl-C in a terminal', terminal: true, end: ({ child }) => void child.stdin!.write('\x03') },
  { what: 'the terminal closed', terminal: true, end: ({ child }) => void child.stdin!.end() },
];

export const endings: Drill = {
  name: 'endings',
  faults: 'F19',
  does: '`npm start` with its own database is ended under load by signals to its group, by Ctrl-C in a terminal and with the terminal; each time it starts again from what was left',
  needs: () => (spawnSync('python3', ['--version']).error ? 'needs Python 3 for a terminal' : null),
  async run(stage) {
    const dataDir = join(stage.folder, 'ended');
    await mkdir(dataDir, { mode: 0o711 });
    const seen: string[] = [];
    for (const { what, terminal, end } of WAYS) {
      const port = await freePort();
      const mark = `DRILL_MARK=${port}-${Math.random().toString(36).slice(2)}`;
      const env = {
        PORT: String(port),
        PAYMENT_SANDBOX_PORT: String(await freePort()),
        DATA_DIR: dataDir,
        BUILD_DIR: stage.buildDir,
        LOG_LEVEL: 'warn',
        DRILL_MARK: mark.slice('DRILL_MARK='.length),
      };
      const begun = terminal
        ? begin('python3', ['-c', TERMINAL], env)
        : begin('npm', ['start', '--', '--built'], env);
      if (terminal) begun.child.stdin!.write('npm start -- --built\n');
      const url = `http://localhost:${port}`;
      try {
        await until(`the start before ${what}`, 90, async () => (await ask(url, '/readyz')).status === 200);
        // Programs to judge have processes of their own, which have to end, too.
        const running = load(url, READS, 8);
        await sleep(1_500);
        const began = performance.now();
        end(begun);
        await until(
          `${what}: the end of the site`,
          20,
          async () => !processesOf(mark, dataDir).some((line) => /main\.ts|postgres/.test(line)),
        );
        const seconds = ((performance.now() - began) / 1000).toFixed(1);
        const statuses = await running.end();
        const cut = [...statuses.keys()].filter((status) => !['200', 'ECONNREFUSED'].includes(status));
        must(cut.length === 0, `${what}: users saw ${told(statuses)}`);
        // The shell in the terminal goes on after Ctrl-C.
        if (terminal) begun.child.stdin!.end();
        await until(`${what}: the end of the rest`, 5, async () => processesOf(mark, dataDir).length === 0);
        must(
          !existsSync(join(dataDir, 'postgres/postmaster.pid')),
          `${what}: the database did not end in good order`,
        );
        must(!existsSync(join(dataDir, 'postgres.lock')), `${what}: a lock was left behind`);
        seen.push(`${what}: ended in ${seconds} s, ${told(statuses)}`);
      } catch (error) {
        const left = processesOf(mark, dataDir);
        throw new Error(`${(error as Error).message}; left: ${left.join(' | ')}\n${begun.output()}`);
      } finally {
        for (const line of processesOf(mark, dataDir)) {
          try {
            process.kill(Number.parseInt(line, 10), 'SIGKILL');
          } catch {
            // It ended by itself.
          }
        }
      }
    }
    return `${seen.join('; ')}; nothing left behind`;
  },
};
