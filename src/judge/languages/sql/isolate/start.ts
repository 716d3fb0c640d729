import { PGlite } from '@electric-sql/pglite';
import { note } from '../../surroundings/notes.ts';
import type { MemoryExports } from './memory.ts';

/** 64 KB pages: the engine's start, and as much again. */
const MEMORY_PAGES = 4_096;
const MEMORY_PAGES_AT_FIRST = 2_048;
const ENETUNREACH = 40;
/** Without "-O", with which owners could change system tables. */
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
/** Emscripten's longjmp. */
const LONG_JUMP = 100;

let isClosed = false;

/** Replaces dangerous imports. */
function narrow(imports: WebAssembly.Imports): void {
  const env = imports.env as Record<string, (...values: unknown[]) => unknown>;
  for (const name of ['socket', 'accept4', 'bind', 'connect', 'listen', 'recvfrom', 'sendto'])
    env[`__syscall_${name}`] = () => -ENETUNREACH;

  // No timers here: the host stops what takes too long.
  env._setitimer_js = () => 0;
  // It runs JavaScript from the loaded library.
  const load = env._dlopen_js!;
  env._dlopen_js = (...values) => (isClosed ? 0 : load(...values));
}

export function closeLoader(): void {
  isClosed = true;
}

export interface Started {
  database: PGlite;
  exports: MemoryExports;
  /** Crashed, such as by its stack. */
  hasFallen: () => boolean;
}

/** Growth beyond fails like on a small machine. */
function boundMemory(): void {
  const Original = WebAssembly.Memory;
  WebAssembly.Memory = class extends Original {
    constructor() {
      super({ initial: MEMORY_PAGES_AT_FIRST, maximum: MEMORY_PAGES });
    }
  };
}

export async function start(
  engine: WebAssembly.Module,
  bundle: ArrayBuffer,
  data: ArrayBuffer,
): Promise<Started> {
  boundMemory();
  let isStarted = false;
  let exports: MemoryExports | undefined;
  // The module is compiled already.
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
    // Unused with a prepared data folder; without it the library looks for a file.
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
  // The library continues after a crash; this is its first step.
  module.stackRestore = (stack) => {
    if (fell) throw new Error('the engine fell');
    stackRestore(stack);
  };
  return { database, exports: exports!, hasFallen: () => fell };
}
