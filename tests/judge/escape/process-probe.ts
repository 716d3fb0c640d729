import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { connect, type NetConnectOpts } from 'node:net';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

export interface ProcessPlan {
  temporaryFile: string;
  dataFile: string;
  written: string;
  /** By their ids, as this process sees them. */
  parent: number;
  other: number;
  port: number;
  socket: string;
  waitMs: number;
}

// What a program could do that had broken out of its isolate, and had all of Node in a judge child.
const plan = JSON.parse(readFileSync(join(import.meta.dirname, 'plan.json'), 'utf8')) as ProcessPlan;

/** What an attempt gives, or the code of what stops it. */
function attempt(act: () => unknown): string {
  try {
    return `done: ${String(act()).slice(0, 2_000)}`;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code ?? message;
  }
}

function reach(options: NetConnectOpts): Promise<string> {
  return new Promise((done) => {
    const socket = connect(options)
      .once('data', (bytes) => done(`done: ${bytes}`))
      .once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message))
      .once('close', () => done('closed'));
    socket.setTimeout(3_000, () => done('no answer'));
  });
}

const found = {
  temporaryFile: attempt(() => readFileSync(plan.temporaryFile, 'utf8')),
  dataFile: attempt(() => readFileSync(plan.dataFile, 'utf8')),
  parentsEnvironment: attempt(() => readFileSync(`/proc/${plan.parent}/environ`, 'utf8')),
  writing: attempt(() => writeFileSync(plan.written, 'x')),
  writingBeside: attempt(() => writeFileSync(join(import.meta.dirname, 'written'), 'x')),
  environment: Object.keys(process.env).sort(),
  signalToParent: attempt(() => process.kill(plan.parent, 0)),
  signalToOther: attempt(() => process.kill(plan.other, 'SIGKILL')),
  parent: process.ppid,
  user: process.getuid?.(),
  processes: attempt(() => readdirSync('/proc').filter((name) => /^\d+$/.test(name))),
  program: attempt(() => spawnSync('/bin/true').status),
  thread: attempt(() => new Worker('', { eval: true })),
  port: await reach({ host: '127.0.0.1', port: plan.port }),
  socket: await reach({ path: plan.socket }),
};
// So long that a signal from outside comes meanwhile, and an inspector that it opened would be seen.
if (plan.waitMs > 0) await new Promise((done) => setTimeout(done, plan.waitMs));
writeSync(3, JSON.stringify(found));
process.kill(process.pid, 'SIGKILL');
process.abort();
