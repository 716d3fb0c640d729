/** Stands in for every `node:` module and the packages named in `bundle.ts`. */

const refuse = (what: string) => (): never => {
  throw new Error(`${what} does not exist in this sandbox.`);
};

// node:vm — no page script ever runs, so jsdom never needs a second global scope.
export const constants = {};
export const createContext = refuse('A second context');
export const isContext = (): boolean => false;
export const runInContext = refuse('A second context');
export const Script = refuse('Script');

// node:events
type Listener = (...args: unknown[]) => void;
export class EventEmitter {
  #listeners = new Map<string, Listener[]>();
  on(name: string, listener: Listener): this {
    this.#listeners.set(name, [...(this.#listeners.get(name) ?? []), listener]);
    return this;
  }
  once(name: string, listener: Listener): this {
    return this.on(name, listener);
  }
  off(name: string, listener: Listener): this {
    const others = (this.#listeners.get(name) ?? []).filter((each) => each !== listener);
    this.#listeners.set(name, others);
    return this;
  }
  emit(name: string, ...args: unknown[]): boolean {
    const listeners = this.#listeners.get(name) ?? [];
    for (const listener of listeners) listener(...args);
    return listeners.length > 0;
  }
  listenerCount(name: string): number {
    return this.#listeners.get(name)?.length ?? 0;
  }
}

// node:stream — jsdom's parser is a stream that is written to and ended at once.
export class Writable extends EventEmitter {
  #ended = false;
  write(chunk: unknown): boolean {
    if (this.#ended) return false;
    const sink = this as unknown as { _write(chunk: unknown, encoding: string, done: () => void): void };
    sink._write(chunk, 'utf8', () => {});
    return true;
  }
  end(chunk?: unknown): void {
    this.write(chunk ?? '');
    this.#ended = true;
  }
  destroy(): void {
    this.#ended = true;
  }
}
export class Readable extends EventEmitter {}
export const pipeline = refuse('pipeline');

// node:util
export const inspect = (value: unknown): string => String(value);
inspect.custom = Symbol('inspect');
export const types = { isNativeError: (value: unknown) => value instanceof Error };

// node:buffer — jsdom copies strings through a buffer to shorten their lives; here they live no longer than a test.
let copied = '';
export const Buffer = {
  from: (text: string) => ({ toString: () => text }),
  allocUnsafeSlow: () => ({
    write(text: string) {
      copied = text;
    },
    toString: () => copied,
  }),
};

// node:crypto — no secret is ever made here.
export function randomFillSync<T extends { length: number }>(array: T): T {
  const numbers = array as unknown as Record<number, number>;
  for (let i = 0; i < array.length; i++) numbers[i] = Math.floor(Math.random() * 256);
  return array;
}
export const randomUUID = (): string =>
  'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replaceAll('x', () => Math.floor(Math.random() * 16).toString(16));

// node:os, node:path, node:url, node:fs, node:zlib, node:worker_threads
export const cpus = () => [{}, {}];
export const promises = {};
export const pathToFileURL = refuse('A file');
export const fileURLToPath = refuse('A file');
export const Worker = refuse('A worker');

// undici
export class Dispatcher {}
export class DecoratorHandler {}
export class WebSocket {}
export const getGlobalDispatcher = () => null;

// tough-cookie
export class CookieJar {
  getCookieStringSync = () => '';
  setCookieSync = () => undefined;
}
export const Cookie = { parse: () => undefined };

// jsdom's own files that fetch: nothing is ever loaded.
export class JSDOMDispatcher {}
export const DEFAULT_USER_AGENT = 'Mozilla/5.0 (judge)';
export const fetchCollected = (): Promise<never> => Promise.reject(new Error('There is no network here.'));
export const getLoadError = (): Error => new Error('There is no network here.');
