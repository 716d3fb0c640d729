import ivm from 'isolated-vm';
import { dieOfEngine } from '#src/judge/comparing/answers.ts';
import { endIsolate } from '#src/judge/fair-clock.ts';
import type { Entries } from './isolate/entry.ts';

/** JavaScript's own heap in an isolate, MB: the engine's files, and its memory as it was at two marks. */
const HEAP_MB = 384;

/** What every sandbox of a process is made from. */
export interface Parts {
  /** `isolate/` with the engine's glue, in one script. */
  script: string;
  /** V8's code cache of the script. */
  codeCache: ivm.ExternalCopy<ArrayBuffer> | null;
  /** Compiled once for the process. */
  module: ivm.ExternalCopy<WebAssembly.Module>;
  /** The engine's own files, and a prepared data folder as an archive. */
  bundle: Uint8Array;
  data: Uint8Array;
}

/** A PostgreSQL in an isolate of its own. */
export interface Sandbox {
  isolate: ivm.Isolate;
  entries: Record<keyof Entries, ivm.Reference>;
  cacheRejected: boolean;
  /** The place, in a program's text, of the statement that it is at; negative before its first one. */
  at(): number;
  runs: number;
}

const copied = (bytes: Uint8Array) =>
  new ivm.ExternalCopy(new Uint8Array(bytes).buffer).copyInto({ release: true });

/** Starts an engine, on another thread. Throws where it does not start. */
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
