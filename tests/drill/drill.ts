import type { RunningSite } from '../support/site.ts';
import type { Stage } from './stage.ts';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** One way to break the site. */
export interface Drill {
  name: string;
  /** Faults of the fault list that it is about. */
  faults: string;
  does: string;
  /** Only when it is asked for. */
  long?: boolean;
  /** What is missing here to run it; null where nothing is. */
  needs?: () => string | null;
  /** Gives what was seen; throws where it was not what must be. */
  run(stage: Stage, options: { minutes: number }): Promise<string>;
}

export const STUDENT = { email: 'student@example.com', password: 'learn-demo' };
export const ADMIN = { email: 'admin@example.com', password: 'learn-demo' };

/** Ends a drill, with what was not as it must be. */
export function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

export const needsNginx = () => (spawnSync('nginx', ['-v']).error ? 'nginx is not installed' : null);
export const needsRoot = () => (process.getuid?.() === 0 ? null : 'needs the rights of root');
export const FAKETIME = [
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1',
];
export const needsFaketime = () =>
  FAKETIME.some((path) => existsSync(path)) ? null : 'libfaketime is not installed';

export type Answer = {
  status: number;
  body: Record<string, unknown> & { token?: string };
  headers: Headers;
  ms: number;
};

/** Asks once; gives the answer and how many milliseconds it took. */
export async function ask(
  url: string,
  path: string,
  {
    token,
    body,
    method,
    headers = {},
  }: { token?: string; body?: unknown; method?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const began = performance.now();
  const answer = await fetch(url + path, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    redirect: 'manual',
    signal: AbortSignal.timeout(15_000),
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    body: text.startsWith('{') ? JSON.parse(text) : {},
    headers: answer.headers,
    ms: performance.now() - began,
  };
}

/** Signs in and gives the token. */
export async function signIn(url: string, who: typeof STUDENT): Promise<string> {
  const { status, body } = await ask(url, '/api/auth/login', { body: who });
  must(status === 200 && typeof body.token === 'string', `the sign-in was answered ${status}`);
  return body.token!;
}

/** Asks without a pause until it is told to stop; gives every status, and how the connections failed. */
export function load(url: string, paths: readonly string[], connections: number, token?: string) {
  const statuses = new Map<string, number>();
  const slowest = { path: '', ms: 0 };
  let isOver = false;
  const lanes = Array.from({ length: connections }, async (_, lane) => {
    for (let turn = lane; !isOver; turn += 1) {
      const path = paths[turn % paths.length]!;
      const began = performance.now();
      const outcome = await ask(url, path, token ? { token } : {}).then(
        ({ status }) => String(status),
        (error: Error) => String((error.cause as { code?: string } | undefined)?.code ?? error.name),
      );
      statuses.set(outcome, (statuses.get(outcome) ?? 0) + 1);
      const ms = Math.round(performance.now() - began);
      if (ms > slowest.ms) Object.assign(slowest, { path, ms });
      if (outcome === 'ECONNREFUSED') await sleep(20);
    }
  });
  return {
    statuses,
    slowest,
    slowestMs: () => slowest.ms,
    async end(): Promise<Map<string, number>> {
      isOver = true;
      await Promise.all(lanes);
      return statuses;
    },
  };
}

/** The statuses in words. */
export const told = (statuses: Map<string, number>) =>
  [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ');

/** Waits until something holds; gives the seconds that it took. */
export async function until(what: string, seconds: number, holds: () => Promise<boolean>): Promise<number> {
  const began = performance.now();
  while (performance.now() - began < seconds * 1000) {
    if (await holds().catch(() => false)) return (performance.now() - began) / 1000;
    await sleep(50);
  }
  throw new Error(`${what} did not come true within ${seconds} s`);
}

/** Whether the process of an instance lives. */
export const isAlive = (site: RunningSite) =>
  site.process.exitCode === null && site.process.signalCode === null;
/** Waits for the end of an instance; gives its exit code. */
export const ended = (site: RunningSite) =>
  new Promise<number | null>((done) => {
    if (!isAlive(site)) done(site.process.exitCode);
    else site.process.once('exit', done);
  });

/** Megabytes that an instance has in memory. */
export const memoryOf = (site: RunningSite) =>
  Math.round(
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${site.process.pid}/status`, 'utf8'))![1]) / 1024,
  );

/** What a visitor reads. */
export const READS = ['/', '/courses', '/courses/1', '/api/courses', '/api/categories', '/about'];

/** What the environment of a running instance says. */
export function environmentOf(site: RunningSite, name: string): string {
  const entries = readFileSync(`/proc/${site.process.pid}/environ`, 'utf8').split('\0');
  return entries.find((entry) => entry.startsWith(`${name}=`))!.slice(name.length + 1);
}
