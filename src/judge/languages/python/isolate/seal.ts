import { signalBuffer } from './board.ts';
import { forgetFiles, sealFiles } from './bounds.ts';
import { interpreter } from './running.ts';

/** What could make code, start threads, keep an eye on memory, or start another interpreter. */
const REMOVED = [
  'WebAssembly',
  'SharedArrayBuffer',
  'Atomics',
  'eval',
  'Function',
  'FinalizationRegistry',
  'WeakRef',
  'Intl',
  'setTimeout',
  'clearTimeout',
  'createPyodideModule',
];

/** Has the interpreter look at the board for the interrupt. */
export function heedInterrupts(): void {
  interpreter.HEAP8[interpreter._Py_EMSCRIPTEN_SIGNAL_HANDLING] = 1;
}

/** A program that broke out of the interpreter would find a JavaScript world with nothing in it. */
export function seal(): void {
  sealFiles();
  forgetFiles();
  interpreter.Py_EmscriptenSignalBuffer = signalBuffer();
  heedInterrupts();
  const GeneratorFunction = Object.getPrototypeOf(function* () {});
  const AsyncFunction = Object.getPrototypeOf(async () => {});
  const AsyncGeneratorFunction = Object.getPrototypeOf(async function* () {});
  for (const prototype of [Function.prototype, GeneratorFunction, AsyncFunction, AsyncGeneratorFunction]) {
    Object.defineProperty(prototype, 'constructor', { value: undefined });
  }
  const buffers = ArrayBuffer.prototype as unknown as Record<string, unknown>;
  for (const name of ['resize', 'transfer', 'transferToFixedLength']) delete buffers[name];
  const globals = globalThis as unknown as Record<string, unknown>;
  for (const name of REMOVED) delete globals[name];
}
