import ivm from 'isolated-vm';
import { dieOfEngine } from '#src/judge/comparing/answers.ts';
import { endIsolate } from '#src/judge/fair-clock.ts';
import type { Entries } from './isolate/entry.ts';

/** MB: files, and memory at two marks. */
const HEAP_MB = 384;

/** Shared by a process. */
export interface Parts {
  /** `isolate/` and the glue. */
  script: string;
  /** V8's code cache. */
  codeCache: ivm.ExternalCopy<ArrayBuffer> | null;
  /** Compiled once. */
  module: ivm.ExternalCopy<WebAssembly.Module>;
  /** Engine files, and the data folder. */
  bundle: Uint8Array;
  data: Uint8Array;
}

export interface Sandbox {
  isolate: ivm.Isolate;
  entries: Record<keyof Entries, ivm.Reference>;
  cacheRejected: boolean;
  /** Index of the current statement; negative before the first. */
  at(): number;
  runs: number;
}

const copied = (bytes: Uint8Array) =>
  new ivm.ExternalCopy(new Uint8Array(bytes).buffer).copyInto({ release: true });

/** On another thread. Throws where it fails. */
export async function makeSandbox({ script, codeCache, module, bundle, data }: Parts): Promise<Sandbox> {
  const isolate = new ivm.Isolate({ memoryLimit: HEAP_MB, onCatastrophicError: dieOfEngine });
  try {
    const context = await isolate.createContext();
    const compiled = await isolate.compileScript(script, {
      filename: 'sql-isolate.js',
      ...(codeCache ? { cachedData: codeCache } : {}),
    });
    const { cachedDataRejected } = compiled as unknown as { cachedDataRejected?: boolean };
    await compiled.run(context, { release: true });
    const object = await context.global.get('sqlEntries', { reference: true });
    await context.global.delete('sqlEntries');
    const names: (keyof Entries)[] = ['boot', 'trouble', 'begin', 'test', 'end'];
    const references = names.map((name) => [name, object.getSync(name, { reference: true })] as const);
    const entries = Object.fromEntries(references) as Sandbox['entries'];
    object.release();
    const board = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
    await entries.boot.apply(undefined, [
      module.copyInto(),
      copied(bundle),
      copied(data),
      new ivm.ExternalCopy(board).copyInto({ release: true }),
    ] as ivm.Transferable[]);
    const trouble = await entries.trouble.apply(undefined, []);
    if (trouble !== '') throw new Error(`the database did not start: ${String(trouble)}`);
    return {
      isolate,
      entries,
      cacheRejected: cachedDataRejected === true,
      at: () => new Int32Array(board)[0]!,
      runs: 0,
    };
  } catch (error) {
    endIsolate(isolate);
    throw error;
  }
}
