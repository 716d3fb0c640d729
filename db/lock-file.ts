import { createHash, randomBytes } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { link, mkdtemp, open, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const HEARTBEAT_MS = 2_000;

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Processes of other machines are not visible, and their numbers may belong to other processes here. */
export const MACHINE: string = createHash('sha256')
  .update(`${hostname()} ${pidSpace()}`)
  .digest('hex')
  .slice(0, 8);

function pidSpace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    // Not Linux: there are no others.
    return '';
  }
}

/** Closed to others; its name tells the process. */
export const makeOwnFolder = (parent: string, prefix: string): Promise<string> =>
  mkdtemp(join(parent, `${prefix}${MACHINE}-${process.pid}-`));

export async function sweepOwnFolders(parent: string, prefix: string): Promise<void> {
  const own = `${prefix}${MACHINE}-`;
  for (const name of await readdir(parent).catch(() => [])) {
    if (!name.startsWith(own) || isAlive(Number.parseInt(name.slice(own.length), 10))) continue;
    await rm(join(parent, name), { recursive: true, force: true, maxRetries: 10 });
  }
}

export class LockHeld extends Error {
  override name = 'LockHeld';
  readonly owner: number | null;
  constructor(owner: number | null) {
    super(`process ${owner ?? 'unknown'} holds the lock`);
    this.owner = owner;
  }
}

/** Renaming first lets one of several waiters win. */
async function bury(path: string, text: string): Promise<void> {
  const grave = `${path}.${randomBytes(4).toString('hex')}`;
  try {
    await rename(path, grave);
  } catch {
    return;
  }
  if ((await readFile(grave, 'utf8')) !== text) await link(grave, path).catch(() => {});
  await rm(grave, { force: true });
}

/**
 * Takes a lock file, void when its owner is gone or silent for `staleMs`.
 * @throws {LockHeld} after `waitMs`
 */
export async function takeLock(
  path: string,
  { waitMs, staleMs, onWait }: { waitMs: number; staleMs: number; onWait?: (owner: number | null) => void },
): Promise<() => Promise<void>> {
  const deadline = Date.now() + waitMs;
  const mark = `${process.pid} ${MACHINE} ${randomBytes(6).toString('hex')}`;
  let told = false;
  while (true) {
    try {
      const file = await open(path, 'wx');
      await file.writeFile(mark);
      await file.close();
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const [text, info] = await Promise.all([
      readFile(path, 'utf8').catch(() => ''),
      stat(path).catch(() => null),
    ]);
    const owner = text === '' ? null : Number.parseInt(text, 10);
    const isOfHere = text.split(' ')[1] === MACHINE;
    const silentMs = info ? Date.now() - info.mtimeMs : 0;
    if (info && ((owner !== null && isOfHere && !isAlive(owner)) || silentMs > staleMs)) {
      await bury(path, text);
      continue;
    }
    if (Date.now() > deadline) throw new LockHeld(owner);
    if (!told && info) {
      told = true;
      onWait?.(owner);
    }
    await sleep(100);
  }
  const heartbeat = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => {});
  }, HEARTBEAT_MS);
  heartbeat.unref();
  return async () => {
    clearInterval(heartbeat);
    if ((await readFile(path, 'utf8').catch(() => '')) === mark) await rm(path, { force: true });
  };
}
