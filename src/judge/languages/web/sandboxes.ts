import { createHash } from 'node:crypto';
import ivm from 'isolated-vm';
import { dieOfEngine } from '#src/judge/comparing/answers.ts';
import { endIsolate, guardOf } from '#src/judge/fair-clock.ts';
import type { Artifacts } from '../../runner.ts';
import { bundleSandbox } from './bundle.ts';
import type { SandboxEntry } from './sandbox/sandbox.ts';
import { WARM_UPS } from './warm-up.ts';

const SCRIPT = 'web-sandbox.js';
const SNAPSHOT = 'web-sandbox.snapshot';
const CODE_CACHE = 'web-sandbox.code-cache';
const MANIFEST = 'web-sandbox.json';

/** One until the first submission, for sites without such lessons. */
const POOL_SIZE = 2;
const DEFAULT_MEMORY_MB = 128;
/** What they leave behind counts as the isolate's memory. */
const SCOPES_OF_ISOLATE = 12;

interface Scope {
  context: ivm.Context;
  entry: { [Name in keyof SandboxEntry]: ivm.Reference };
}

export interface Sandbox extends Scope {
  isolate: ivm.Isolate;
  spare: Scope[];
  memoryMb: number;
  scopes: number;
}

interface Manifest {
  v8: string;
  flags: string;
  snapshotHash: string;
}

let script = '';
let snapshot: ivm.ExternalCopy<ArrayBuffer> | null = null;
let codeCache: ivm.ExternalCopy<ArrayBuffer> | null = null;
let pool: Sandbox[] = [];
/** html and css run nothing: their isolates serve again. */
const recyclable: Sandbox[] = [];
let poolSize = 1;
let scopesWanted = 1;

const engineFlags = () =>
  process.execArgv.filter((flag) => /^--(no-)?(jit|flush|node-snapshot)/.test(flag)).join(' ');
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const external = (bytes: Uint8Array) => new ivm.ExternalCopy(new Uint8Array(bytes).buffer as ArrayBuffer);

/** The script, its snapshot, and a code cache for where the snapshot cannot be used. */
export async function buildArtifacts(): Promise<Record<string, Uint8Array>> {
  const text = await bundleSandbox();
  const made = new Uint8Array(
    ivm.Isolate.createSnapshot([
      { code: text, filename: 'sandbox.js' },
      ...WARM_UPS.map((code) => ({ code })),
    ]).copy() as ArrayBuffer,
  );
  const isolate = new ivm.Isolate({ memoryLimit: DEFAULT_MEMORY_MB });
  const compiled = isolate.compileScriptSync(text, { filename: 'sandbox.js', produceCachedData: true });
  const cache = (compiled as ivm.Script & { cachedData?: ivm.ExternalCopy<ArrayBuffer> }).cachedData;
  const manifest: Manifest = { v8: process.versions.v8, flags: engineFlags(), snapshotHash: hashOf(made) };
  const files: Record<string, Uint8Array> = {
    [SCRIPT]: Buffer.from(text),
    [SNAPSHOT]: made,
    [MANIFEST]: Buffer.from(JSON.stringify(manifest)),
  };
  if (cache) files[CODE_CACHE] = new Uint8Array(cache.copy() as ArrayBuffer);
  isolate.dispose();
  return files;
}

/** A snapshot of another engine or other flags would end the process. */
function trustedSnapshot(artifacts: Artifacts): Uint8Array | null {
  const bytes = artifacts.read(SNAPSHOT);
  const manifestBytes = artifacts.read(MANIFEST);
  if (!bytes || !manifestBytes) return null;
  const manifest = JSON.parse(Buffer.from(manifestBytes).toString('utf8')) as Manifest;
  const isOurs =
    manifest.v8 === process.versions.v8 &&
    manifest.flags === engineFlags() &&
    manifest.snapshotHash === hashOf(bytes);
  return isOurs ? bytes : null;
}

/** Loads the snapshot or, without a trusted one, the script. */
export async function start(artifacts: Artifacts): Promise<void> {
  const bytes = trustedSnapshot(artifacts);
  snapshot = bytes && external(bytes);
  if (!snapshot) {
    const text = artifacts.read(SCRIPT);
    script = text ? Buffer.from(text).toString('utf8') : await bundleSandbox();
    const cache = artifacts.read(CODE_CACHE);
    codeCache = cache && external(cache);
  }
  await refill();
}

/** With `inspector` for looking where a program is; otherwise take one that is ready. */
export async function openSandbox(memoryMb: number, inspector = false): Promise<Sandbox> {
  const isolate = new ivm.Isolate({
    memoryLimit: memoryMb,
    inspector,
    ...(snapshot ? { snapshot } : {}),
    onCatastrophicError: dieOfEngine,
  });
  return { isolate, ...(await openScope(isolate, inspector)), spare: [], memoryMb, scopes: 1 };
}

async function openScope(isolate: ivm.Isolate, inspector = false): Promise<Scope> {
  const context = await openContext(isolate, inspector);
  return { context, entry: await takeEntry(context) };
}

async function openContext(isolate: ivm.Isolate, inspector = false): Promise<ivm.Context> {
  const context = await isolate.createContext({ inspector });
  if (!snapshot) {
    const compiled = await isolate.compileScript(script, {
      filename: 'sandbox.js',
      ...(codeCache ? { cachedData: codeCache } : {}),
    });
    await compiled.run(context);
  }
  return context;
}

async function takeEntry(context: ivm.Context): Promise<Scope['entry']> {
  const object = (await context.global.get('__sandbox', { reference: true })) as ivm.Reference<SandboxEntry>;
  const names: (keyof SandboxEntry)[] = [
    'openPage',
    'lookAtPage',
    'pageText',
    'startProgram',
    'collectResult',
  ];
  const references = await Promise.all(names.map((name) => object.get(name, { reference: true })));
  await context.global.delete('__sandbox');
  return Object.fromEntries(names.map((name, i) => [name, references[i]])) as Scope['entry'];
}

export async function takeSandbox(memoryMb: number, tests = 1): Promise<Sandbox> {
  poolSize = POOL_SIZE;
  scopesWanted = tests;
  const at = pool.findIndex((sandbox) => sandbox.memoryMb === memoryMb && !sandbox.isolate.isDisposed);
  return at < 0 ? openSandbox(memoryMb) : pool.splice(at, 1)[0]!;
}

export async function refill(): Promise<void> {
  pool = pool.filter((sandbox) => !sandbox.isolate.isDisposed);
  while (pool.length < poolSize) {
    const used = recyclable.pop();
    pool.push(used ? await renew(used) : await openSandbox(DEFAULT_MEMORY_MB));
  }
  for (const sandbox of [...pool]) {
    // One that is taken meanwhile is left alone.
    while (sandbox.spare.length + 1 < scopesWanted && pool.includes(sandbox)) {
      const scope = await openScope(sandbox.isolate).catch(() => null);
      if (!scope) break;
      sandbox.spare.push(scope);
    }
  }
  for (const sandbox of recyclable.splice(0)) close(sandbox);
}

export async function renew(sandbox: Sandbox): Promise<Sandbox> {
  for (const reference of Object.values(sandbox.entry)) reference.release();
  sandbox.context.release();
  Object.assign(sandbox, sandbox.spare.pop() ?? (await openScope(sandbox.isolate)));
  sandbox.scopes += 1;
  return sandbox;
}

export function recycle(sandbox: Sandbox): void {
  const isGood = !sandbox.isolate.isDisposed && sandbox.memoryMb === DEFAULT_MEMORY_MB;
  if (isGood && sandbox.scopes < SCOPES_OF_ISOLATE) recyclable.push(sandbox);
  else close(sandbox);
}

export function close(sandbox: Sandbox): void {
  endIsolate(sandbox.isolate);
}

/** `isDisposed`: the isolate's own limit did not stop it. */
export type Stopped = { stopped: 'time_limit' | 'memory_limit'; isDisposed: boolean };
export type Called = { value: unknown } | Stopped | { thrown: Error };

export const isStopped = (called: object): called is Stopped => 'stopped' in called;

/** With two of the three tiers of the time limit. */
export async function callSandbox(
  sandbox: Sandbox,
  name: keyof SandboxEntry,
  values: unknown[],
  wallMs: number,
): Promise<Called> {
  const timeout = Math.max(1, Math.ceil(wallMs));
  let disposed = false;
  const guard = guardOf(() => {
    disposed = true;
    close(sandbox);
  });
  guard.begin(timeout);
  try {
    return { value: await sandbox.entry[name].apply(undefined, values, { timeout }) };
  } catch (error) {
    const { message } = error as Error;
    if (disposed) return { stopped: 'time_limit', isDisposed: true };
    if (/^Script execution timed out/.test(message)) return { stopped: 'time_limit', isDisposed: false };
    if (/memory limit|disposed|array buffer allocation/i.test(message) && sandbox.isolate.isDisposed) {
      return { stopped: 'memory_limit', isDisposed: true };
    }
    return { thrown: error as Error };
  } finally {
    guard.stop();
  }
}
