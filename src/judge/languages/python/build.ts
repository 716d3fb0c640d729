import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Captured, ENTRIES_NAME, MAXIMUM_PAGES, PAGE_BYTES, type Pointers } from './agreement.ts';
import { adaptGlue } from './glue.ts';
import { compiled, makeSandbox, type Parts, type Snapshot, shared } from './sandbox.ts';
import { editExports, exportNames } from './webassembly.ts';

/** Below any address of a text. */
const FUNCTIONS = 20_000;

const REMOVED = /REMOVED_MODULES = """([^"]+)"""/;

const NEIGHBOURS =
  '_abc _ast _bisect _contextvars _csv _imp _socket _string _struct _suggestions _sysconfig _tokenize _types _typing _warnings builtins gc marshal sys time zlib'.split(
    ' ',
  );

export interface Interpreter {
  script: string;
  wasm: Uint8Array;
  stdlib: Uint8Array;
  harness: string;
  repack: string;
}

export interface SnapshotFiles {
  pages: Uint8Array;
  data: Uint8Array;
  differing: number;
  length: number;
  stack: number;
  functions: Pointers;
}

/** Inside a function the bundle's directive makes it strict. */
function asExpression(bundle: string): string {
  const name = `globalThis.${ENTRIES_NAME}`;
  return `(() => {\n${bundle}\nconst entries = ${name};\ndelete ${name};\nreturn entries;\n})()`;
}

export function readInterpreter(project: string, bundle: string): Interpreter {
  const sources = join(project, 'src/judge/languages/python');
  const pyodide = join(project, 'node_modules/pyodide');
  const original = readFileSync(join(pyodide, 'pyodide.asm.wasm'));
  const { script, needed } = adaptGlue(
    readFileSync(join(pyodide, 'pyodide.asm.mjs'), 'utf8'),
    exportNames(original),
  );
  return {
    script: script + asExpression(bundle),
    wasm: editExports(original, (name) => needed.has(name), MAXIMUM_PAGES),
    stdlib: readFileSync(join(pyodide, 'python_stdlib.zip')),
    harness: ['recorder.py', 'harness.py'].map((name) => readFileSync(join(sources, name), 'utf8')).join(''),
    repack: readFileSync(join(sources, 'repack.py'), 'utf8'),
  };
}

function textAt(memory: Buffer, address: number): string {
  if (address <= 0 || address >= memory.length) return '';
  return memory.toString('latin1', address, Math.min(memory.indexOf(0, address), address + 40));
}

/** From the interpreter's own tables: pairs of a name's address and a function's number. */
function strikeModules(image: Uint8Array, names: string[]): void {
  const memory = Buffer.from(image.buffer, image.byteOffset, image.length);
  const words = new Uint32Array(image.buffer, image.byteOffset, image.length >> 2);
  const modules = new Set([...NEIGHBOURS, ...names]);
  const isEntry = (i: number) => words[i + 1]! < FUNCTIONS && modules.has(textAt(memory, words[i]!));
  const found: [at: number, length: number][] = [];
  for (const name of names) {
    // The linker may have stored a name as the end of a longer text.
    const addresses = new Set<number>();
    const text = Buffer.from(`${name}\0`);
    for (let at = memory.indexOf(text); at >= 0; at = memory.indexOf(text, at + 1)) addresses.add(at);
    const before = found.length;
    for (let i = 2; i < words.length - 3; i++) {
      if (addresses.has(words[i]!) && isEntry(i) && (isEntry(i - 2) || isEntry(i + 2)))
        found.push([i, name.length]);
    }
    if (found.length === before) throw new Error(`the interpreter has no built-in module ${name}`);
  }
  for (const [i, length] of found) {
    // An empty name that nothing can import, and no function to call.
    words[i] = words[i]! + length;
    words[i + 1] = 0;
  }
}

function filledPages(
  fresh: Uint8Array,
  prepared: Uint8Array,
): { pages: Uint32Array; data: Uint8Array; differing: number } {
  const zero = Buffer.alloc(PAGE_BYTES);
  const pages: number[] = [];
  const same: number[] = [];
  for (let page = 0; page * PAGE_BYTES < prepared.length; page++) {
    const start = page * PAGE_BYTES;
    const now = Buffer.from(prepared.buffer, prepared.byteOffset + start, PAGE_BYTES);
    const before =
      start < fresh.length ? Buffer.from(fresh.buffer, fresh.byteOffset + start, PAGE_BYTES) : zero;
    if (!now.equals(before)) pages.push(page);
    else if (!now.equals(zero)) same.push(page);
  }
  const differing = pages.length;
  pages.push(...same);
  const data = new Uint8Array(pages.length * PAGE_BYTES);
  pages.forEach((page, i) => {
    data.set(prepared.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES), i * PAGE_BYTES);
  });
  return { pages: Uint32Array.from(pages), data, differing };
}

export function coldParts(interpreter: Interpreter): Parts {
  return {
    script: interpreter.script,
    codeCache: null,
    module: compiled(interpreter.wasm),
    stdlib: shared(interpreter.stdlib),
    snapshot: null,
  };
}

export function sharedSnapshot(files: SnapshotFiles): Snapshot {
  return { ...files, pages: shared(files.pages), data: shared(files.data) };
}

/** Takes seconds. */
export async function repackStdlib(interpreter: Interpreter): Promise<Uint8Array> {
  const cold = await makeSandbox(coldParts(interpreter));
  const made = await cold.entries.makeFile.apply(undefined, [interpreter.repack, '/tmp/stdlib.zip'], {
    result: { copy: true },
  });
  cold.isolate.dispose();
  return new Uint8Array(made as unknown as ArrayBuffer);
}

/** Takes seconds. */
export async function takeSnapshot(interpreter: Interpreter): Promise<SnapshotFiles> {
  const parts = coldParts(interpreter);
  const copy = { result: { copy: true } } as const;

  const cold = await makeSandbox(parts);
  await cold.entries.finishCold.apply(undefined, [interpreter.harness]);
  const captured = (await cold.entries.capture.apply(undefined, [], copy)) as unknown as Captured;
  cold.isolate.dispose();
  const prepared = new Uint8Array(captured.memory);
  const removed = REMOVED.exec(interpreter.harness)?.[1]?.trim().split(/\s+/) ?? [];
  strikeModules(prepared, removed);

  // Without pages to write, restoring leaves an interpreter's memory as instantiation made it.
  const empty: Snapshot = {
    pages: new SharedArrayBuffer(0),
    data: new SharedArrayBuffer(0),
    differing: 0,
    length: 0,
    stack: captured.stack,
    functions: {},
  };
  const untouched = await makeSandbox({ ...parts, snapshot: empty });
  const fresh = new Uint8Array(
    (await untouched.entries.untouched.apply(undefined, [], copy)) as unknown as ArrayBuffer,
  );
  untouched.isolate.dispose();

  const { pages, data, differing } = filledPages(fresh, prepared);
  return {
    pages: new Uint8Array(pages.buffer),
    data,
    differing,
    length: prepared.length,
    stack: captured.stack,
    functions: captured.functions,
  };
}

/** With every function that starting and running a program has compiled. */
export async function makeCodeCache(parts: Parts, rehearsals: string[]): Promise<Uint8Array> {
  const sandbox = await makeSandbox({ ...parts, codeCache: null });
  for (const program of rehearsals) {
    await sandbox.entries.run.apply(undefined, [program, '[["", "stdin", [1, 2, 3, 4]]]', '1', 0]);
  }
  // The engine finds the script among those it has compiled, with all that ran since.
  const again = await sandbox.isolate.compileScript(parts.script, {
    filename: 'python-sandbox.js',
    produceCachedData: true,
  });
  const { cachedData } = again as unknown as { cachedData?: { copy(): ArrayBuffer } };
  if (!cachedData) throw new Error('the engine made no code cache');
  const bytes = new Uint8Array(cachedData.copy());
  sandbox.isolate.dispose();
  return bytes;
}
