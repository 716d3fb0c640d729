import { PGlite } from '@electric-sql/pglite';
import { note } from '../../surroundings/notes.ts';
import type { MemoryExports } from './memory.ts';

/** 64 KB pages of memory: what the engine starts with, and as much again for a program. */
const MEMORY_PAGES = 4_096;
const MEMORY_PAGES_AT_FIRST = 2_048;
const ENETUNREACH = 40;
/** What the engine's settings are at its start; without "-O", with which owners could change system tables. */
const PARAMETERS = [
  '--single',
  '-F',
  '-j',
  ...[
    'search_path=public',
    'exit_on_error=false',
    'log_checkpoints=false',
    'log_min_messages=fatal',
    'max_worker_processes=0',
    'max_parallel_workers=0',
    'max_parallel_workers_per_gather=0',
    'max_parallel_maintenance_workers=0',
    'io_method=sync',
  ].flatMap((setting) => ['-c', setting]),
];
/** The name under which Emscripten's glue knows a jump out of a failed statement. */
const LONG_JUMP = 100;

let isClosed = false;

/** What an engine may not ask of its glue, and what it gets instead. */
function narrow(imports: WebAssembly.Imports): void {
  const env = imports.env as Record<string, (...values: unknown[]) => unknown>;
  for (const name of ['socket', 'accept4', 'bind', 'connect', 'listen', 'recvfrom', 'sendto'])
    env[`__syscall_${name}`] = () => -ENETUNREACH;

  // No timer fires here: what takes too long is broken off from outside.
  env._setitimer_js = () => 0;
  // The loader runs text of the library that it loads as JavaScript.
  const load = env._dlopen_js!;
  env._dlopen_js = (...values) => (isClosed ? 0 : load(...values));
}

/** From here on the engine loads no library any more. */
export function closeLoader(): void {
  isClosed = true;
}

/** A PostgreSQL that has been started. */
export interface Started {
  database: PGlite;
  exports: MemoryExports;
  /** Whether the engine itself fell since the start, such as over its stack: it gives no answer any more. */
  hasFallen: () => boolean;
}

/** Has all memory that is made end at a bound, with which an allocation fails as on a small machine. */
function boundMemory(): void {
  const Original = WebAssembly.Memory;
  WebAssembly.Memory = class extends Original {
    constructor() {
      super({ initial: MEMORY_PAGES_AT_FIRST, maximum: MEMORY_PAGES });
    }
  };
}

/** Starts a database in this realm. */
export async function start(
  engine: WebAssembly.Module,
  bundle: ArrayBuffer,
  data: ArrayBuffer,
): Promise<Started> {
  boundMemory();
  let isStarted = false;
  let exports: MemoryExports | undefined;
  // Nothing waits for a compiler here: the module is compiled already.
  WebAssembly.instantiate = ((module: WebAssembly.Module, imports: WebAssembly.Imports) => {
    narrow(imports);
    const instance = new WebAssembly.Instance(module, imports);
    exports ??= instance.exports as unknown as MemoryExports;
    return Promise.resolve(instance);
  }) as typeof WebAssembly.instantiate;
  const blob = (bytes: ArrayBuffer) =>
    ({ arrayBuffer: () => Promise.resolve(bytes), size: bytes.byteLength, type: '' }) as Blob;
  const database = await PGlite.create({
    pgliteWasmModule: engine,
    // Never run, as the data folder is a prepared one; without it the library would look for a file.
    initdbWasmModule: engine,
    fsBundle: blob(bundle),
    loadDataDir: blob(data),
    startParams: PARAMETERS,
    onStderr(line) {
      if (!isStarted) note(line);
      return false;
    },
  });
  isStarted = true;
  let fell = false;
  const module = database.Module as unknown as {
    _PostgresMainLoopOnce(): void;
    stackRestore(stack: number): void;
  };
  const { _PostgresMainLoopOnce: once, stackRestore } = module;
  module._PostgresMainLoopOnce = () => {
    try {
      once();
    } catch (error) {
      if ((error as { status?: unknown } | null)?.status !== LONG_JUMP) fell = true;
      throw error;
    }
  };
  // The library goes on after any error, with an engine that fell without an end; what it does first is this.
  module.stackRestore = (stack) => {
    if (fell) throw new Error('the engine fell');
    stackRestore(stack);
  };
  return { database, exports: exports!, hasFallen: () => fell };
}
