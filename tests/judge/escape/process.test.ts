import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PROJECT } from '#src/judge/artifacts.ts';
import { probeLayers } from '#src/judge/layers.ts';
import { POOLS } from '#src/judge/pools.ts';
import type { Pool } from '#src/judge/runner.ts';
import { NO_LAYERS, probeChild } from './probing.ts';
import type { ProcessPlan } from './process-probe.ts';

type Found = Record<
  | 'temporaryFile'
  | 'dataFile'
  | 'parentsEnvironment'
  | 'writing'
  | 'writingBeside'
  | 'signalToParent'
  | 'signalToOther'
  | 'processes'
  | 'program'
  | 'thread'
  | 'port'
  | 'socket',
  string
> & { environment: string[]; parent: number; user: number };

const FILE = 'canary-of-a-file';
const HIDDEN = 'canary-of-a-hidden-test';
const ENVIRONMENT = 'canary-of-the-environment';

let temporary = '';
let data = '';
let other: ChildProcess;
const servers: Server[] = [];
let plan: ProcessPlan;

async function serve(where: string | number): Promise<Server> {
  const server = createServer((socket) => socket.on('error', () => {}).end(HIDDEN));
  servers.push(server);
  server.listen(where as string);
  await once(server, 'listening');
  return server;
}

beforeAll(async () => {
  process.env.ACADEMY_CANARY = ENVIRONMENT;
  temporary = await mkdtemp(join(tmpdir(), 'escape-'));
  await mkdir(join(PROJECT, '.data'), { recursive: true });
  data = await mkdtemp(join(PROJECT, '.data/escape-'));
  const temporaryFile = join(temporary, 'canary');
  const dataFile = join(data, 'canary');
  await writeFile(temporaryFile, FILE);
  await writeFile(dataFile, FILE);
  // That of everyone: what hides it is not its mode. The one with the socket is its owner's, as PostgreSQL's is.
  await chmod(temporary, 0o755);
  await chmod(data, 0o700);
  await serve(join(data, 'socket'));
  const { port } = (await serve(0)).address() as AddressInfo;
  other = spawn('sleep', ['600']);
  plan = {
    temporaryFile,
    dataFile,
    written: join(tmpdir(), `escape-written-${process.pid}`),
    parent: process.pid,
    other: other.pid!,
    port,
    socket: join(data, 'socket'),
    waitMs: 0,
  };
});

afterAll(async () => {
  delete process.env.ACADEMY_CANARY;
  other.kill('SIGKILL');
  for (const server of servers) server.close();
  await rm(temporary, { recursive: true, force: true });
  await rm(data, { recursive: true, force: true });
});

const REFUSED = 'ERR_ACCESS_DENIED';

describe.each(Object.keys(POOLS) as Pool[])('what has all of Node in a child of the %s pool', (pool) => {
  let found: Found;
  let on: (name: string) => boolean;
  beforeAll(async () => {
    const layers = await probeLayers();
    on = (name) => {
      const isOn = layers.on.some((wall) => wall.includes(name));
      // What holds nothing back here is named to the operator, with its mend.
      if (!isOn) expect(layers.off.map((wall) => wall.name).join()).toContain(name);
      return isOn;
    };
    found = await probeChild<Found>(pool, 'process-probe', plan, layers);
  });

  test('reads no file beside its own program, writes none, and starts no program or thread', () => {
    const { temporaryFile, dataFile, writing, writingBeside, program, thread } = found;
    expect({ temporaryFile, dataFile, writing, writingBeside, program, thread }).toEqual({
      temporaryFile: REFUSED,
      dataFile: REFUSED,
      writing: REFUSED,
      writingBeside: REFUSED,
      program: REFUSED,
      thread: REFUSED,
    });
    expect(existsSync(plan.written)).toBe(false);
  });

  test('has no value of the site’s environment', () => {
    expect(found.environment).toEqual(['LIBC', 'TZ']);
    expect(found.parentsEnvironment).toBe(REFUSED);
    expect(found.processes).toBe(REFUSED);
  });

  test('reaches no port', () => {
    if (on('no network')) expect(found.port).toMatch(/^E(NETUNREACH|CONNREFUSED|ADDRNOTAVAIL)$/);
  });

  test('names no process beside itself', () => {
    if (!on('no signal to another process')) return;
    expect(found.parent).toBe(0);
    expect(found.signalToParent).toBe('ESRCH');
    expect(found.signalToOther).toBe('ESRCH');
    expect(other.exitCode ?? other.signalCode).toBeNull();
  });

  test('reads no hidden test from a database’s socket, where its user is its own', () => {
    if (process.getuid?.() === 0) {
      if (!on('a user of its own')) return;
      expect(found.user).toBeGreaterThan(0);
      expect(found.socket).toBe('EACCES');
    } else if (on('a user namespace of its own')) expect(found.user).toBe(65_534);
  });
});

test('without the kernel’s walls a port, a socket, the parent and other processes are in reach of it', async () => {
  const victim = spawn('sleep', ['600']);
  const ended = once(victim, 'exit');
  const bare = { ...plan, other: victim.pid! };
  const found = await probeChild<Found>('web', 'process-probe', bare, NO_LAYERS);
  const done = { port: `done: ${HIDDEN}`, socket: `done: ${HIDDEN}`, signalToParent: 'done: true' };
  expect(found).toMatchObject({ ...done, parent: process.pid });
  expect((await ended)[1]).toBe('SIGKILL');
});

/** Ports at which a process listens, in its own network. */
function listening(pid: number): string[] {
  return ['tcp', 'tcp6'].flatMap((name) =>
    readFileSync(`/proc/${pid}/net/${name}`, 'latin1')
      .split('\n')
      .filter((line) => line.split(/\s+/)[4] === '0A')
      .map((line) => line.split(/\s+/)[2]!.split(':')[1]!),
  );
}

describe('SIGUSR1, by which Node would open its inspector', () => {
  test('does nothing to a judge child', async () => {
    const layers = await probeLayers();
    const waiting = { ...plan, waitMs: 1_500 };
    await probeChild('web', 'process-probe', waiting, layers, async (pid) => {
      await new Promise((done) => setTimeout(done, 1_000));
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim();
      const own = Number(children || pid);
      process.kill(own, 'SIGUSR1');
      await new Promise((done) => setTimeout(done, 500));
      expect(listening(own)).not.toContain((9229).toString(16).toUpperCase());
    });
  });

  test('does nothing to a judge on its own', async () => {
    const judge = spawn(process.execPath, ['scripts/judge.ts'], {
      cwd: PROJECT,
      env: { ...process.env, JUDGE_PORT: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let complaint = '';
    judge.stderr.on('data', (chunk) => {
      complaint += chunk;
    });
    try {
      const [line] = (await once(judge.stdout, 'data')) as [Buffer];
      const address = /http:\S+/.exec(line.toString())![0];
      judge.kill('SIGUSR1');
      await new Promise((done) => setTimeout(done, 1_000));
      expect((await fetch(`${address}/health`)).status).toBe(200);
      expect(complaint).not.toContain('Debugger');
    } finally {
      judge.kill('SIGKILL');
    }
  });
});
