import ivm from 'isolated-vm';
import { dieOfEngine } from '#src/judge/comparing/answers.ts';
import { endIsolate } from '#src/judge/fair-clock.ts';
import {
  BOARD,
  BOARD_HEAD_BYTES,
  BOARD_WORDS,
  INTERRUPT,
  OUTPUT_BYTES,
  PHASES,
  type Phase,
  type SnapshotRest,
} from './agreement.ts';
import type { Entries } from './isolate/entry.ts';

/** MB of JavaScript's heap; the interpreter's memory is bounded by its module. */
const HEAP_MB = 96;

/** Shared buffers: nothing is held twice. */
export interface Parts {
  script: string;
  codeCache: ivm.ExternalCopy<ArrayBuffer> | null;
  /** Its machine code is shared by all isolates and grows as they run. */
  module: ivm.ExternalCopy<WebAssembly.Module>;
  stdlib: SharedArrayBuffer;
  snapshot: Snapshot | null;
}

export interface Snapshot extends SnapshotRest {
  /** Numbers of 4 KB pages, as 32-bit integers. */
  pages: SharedArrayBuffer;
  data: SharedArrayBuffer;
}

export interface Sandbox {
  isolate: ivm.Isolate;
  entries: Record<keyof Entries, ivm.Reference>;
  board: SharedArrayBuffer;
  cacheRejected: boolean;
}

export function compiled(wasm: Uint8Array): ivm.ExternalCopy<WebAssembly.Module> {
  return new ivm.ExternalCopy(new WebAssembly.Module(new Uint8Array(wasm)));
}

export function shared(bytes: Uint8Array): SharedArrayBuffer {
  const buffer = new SharedArrayBuffer(bytes.length);
  new Uint8Array(buffer).set(bytes);
  return buffer;
}

function handOver(parts: Parts, board: SharedArrayBuffer): unknown[] {
  const copyOf = (buffer: SharedArrayBuffer) => new ivm.ExternalCopy(buffer).copyInto({ release: true });
  const { snapshot } = parts;
  return [
    parts.module.copyInto(),
    copyOf(parts.stdlib),
    copyOf(board),
    ...(snapshot
      ? [
          copyOf(snapshot.pages),
          copyOf(snapshot.data),
          new ivm.ExternalCopy({
            differing: snapshot.differing,
            length: snapshot.length,
            stack: snapshot.stack,
            functions: snapshot.functions,
          }).copyInto({ release: true }),
        ]
      : []),
  ];
}

export function interrupt(sandbox: Sandbox): void {
  new Uint8Array(sandbox.board)[BOARD.interrupt * 4] = INTERRUPT;
}

export function readBoard({ board }: Sandbox): {
  phase: Phase;
  over: boolean;
  output: string;
  test: number;
} {
  const words = new Int32Array(board, 0, BOARD_WORDS);
  const end = Math.min(Math.max(words[BOARD.outputEnd]!, 0), OUTPUT_BYTES);
  const bytes = new Uint8Array(board, BOARD_HEAD_BYTES).slice(0, end);
  return {
    phase: PHASES[words[BOARD.phase]!] ?? 'end',
    over: words[BOARD.over] !== 0,
    output: new TextDecoder().decode(bytes),
    test: words[BOARD.test]!,
  };
}

export async function makeSandbox(parts: Parts): Promise<Sandbox> {
  const isolate = new ivm.Isolate({
    memoryLimit: parts.snapshot ? HEAP_MB : 512,
    // The engine has lost control of its heap: nothing may go on in this process.
    onCatastrophicError: dieOfEngine,
  });
  try {
    const context = await isolate.createContext();
    const script = await isolate.compileScript(parts.script, {
      filename: 'python-sandbox.js',
      ...(parts.codeCache ? { cachedData: parts.codeCache } : {}),
    });
    const { cachedDataRejected } = script as unknown as { cachedDataRejected?: boolean };
    const object = await script.run(context, { reference: true, release: true });
    const names: (keyof Entries)[] = [
      'boot',
      'trouble',
      'makeFile',
      'finishCold',
      'capture',
      'untouched',
      'run',
    ];
    const references = names.map((name) => [name, object.getSync(name, { reference: true })] as const);
    const entries = Object.fromEntries(references) as Sandbox['entries'];
    const board = new SharedArrayBuffer(BOARD_HEAD_BYTES + OUTPUT_BYTES);
    await entries.boot.apply(undefined, handOver(parts, board) as ivm.Transferable[]);
    const trouble = await entries.trouble.apply(undefined, []);
    if (trouble !== '') throw new Error(`the interpreter did not start: ${String(trouble)}`);
    object.release();
    return {
      isolate,
      entries,
      board,
      cacheRejected: cachedDataRejected === true,
    };
  } catch (error) {
    endIsolate(isolate);
    throw error;
  }
}
