import { decodeUtf8, encodeUtf8 } from './utf8.ts';
import { getRandomValues } from './random.ts';
import { note } from './notes.ts';

// The parts of what an engine in WebAssembly expects that reach nothing outside the isolate.

export function furnishRealm(): void {
  Object.assign(globalThis, {
    console: { log: note, warn: note, error: note, info: note, debug: note },
    setTimeout: () => 0,
    clearTimeout: () => {},
    TextDecoder: class {
      decode(bytes?: Uint8Array): string {
        return bytes ? decodeUtf8(bytes) : '';
      }
    },
    TextEncoder: class {
      encode(text: string): Uint8Array {
        return encodeUtf8(text);
      }
      encodeInto(text: string, target: Uint8Array): { read: number; written: number } {
        const bytes = encodeUtf8(text);
        target.set(bytes);
        return { read: text.length, written: bytes.length };
      }
    },
    crypto: { getRandomValues },
  });
}

const MAKERS = [
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
];

/** A program that broke out of its engine would find nothing that makes code. */
export function closeRealm(more: readonly string[] = []): void {
  const GeneratorFunction = Object.getPrototypeOf(function* () {});
  const AsyncFunction = Object.getPrototypeOf(async () => {});
  const AsyncGeneratorFunction = Object.getPrototypeOf(async function* () {});
  for (const prototype of [Function.prototype, GeneratorFunction, AsyncFunction, AsyncGeneratorFunction]) {
    Object.defineProperty(prototype, 'constructor', { value: undefined });
  }
  const buffers = ArrayBuffer.prototype as unknown as Record<string, unknown>;
  for (const name of ['resize', 'transfer', 'transferToFixedLength']) delete buffers[name];
  const globals = globalThis as unknown as Record<string, unknown>;
  for (const name of [...MAKERS, ...more]) delete globals[name];
}
