import { startClock } from '../../javascript/intrinsics.ts';
import { allowNoWait } from '../../javascript/timers.ts';

/** Globals that jsdom and React expect of a browser or Node and that a bare V8 lacks. */

export { performance } from '../../javascript/intrinsics.ts';
export {
  clearImmediate,
  clearInterval,
  clearTimeout,
  setImmediate,
  setInterval,
  setTimeout,
} from '../../javascript/timers.ts';

// Time stands still until a step moves it: a test then never waits, and gives the same answer every time (decision 49).
startClock(0);
allowNoWait();

export const queueMicrotask = (callback: () => void): void => {
  Promise.resolve().then(callback);
};

type Abort = () => void;

class Signal {
  aborted = false;
  reason: unknown = undefined;
  readonly listeners = new Set<Abort>();
  addEventListener(_type: string, listener: Abort): void {
    this.listeners.add(listener);
  }
  removeEventListener(_type: string, listener: Abort): void {
    this.listeners.delete(listener);
  }
  throwIfAborted(): void {
    if (this.aborted) throw this.reason;
  }
}

export class AbortController {
  readonly signal = new Signal();
  abort(reason: unknown = new Error('aborted')): void {
    if (this.signal.aborted) return;
    this.signal.aborted = true;
    this.signal.reason = reason;
    for (const listener of this.signal.listeners) listener();
  }
}

export const AbortSignal = { any: () => new Signal() };

/** React ends an act with a task of its own. */
export class MessageChannel {
  readonly port1: { onmessage: null | (() => void) } = { onmessage: null };
  readonly port2 = { postMessage: () => queueMicrotask(() => this.port1.onmessage?.()) };
}

/** A sandbox ends before a garbage collection would matter. */
class LastingRef<T> {
  readonly #target: T;
  constructor(target: T) {
    this.#target = target;
  }
  deref(): T {
    return this.#target;
  }
}

class NoRegistry {
  register(): void {}
  unregister(): void {}
}

export const structuredClone = <T>(value: T): T => value;

/** Text in UTF-8 is all that jsdom converts without a network. */
export class TextEncoder {
  encode(text: string): Uint8Array {
    const escaped = encodeURIComponent(text.toWellFormed());
    const bytes: number[] = [];
    for (let i = 0; i < escaped.length; i++) {
      if (escaped[i] === '%') {
        bytes.push(Number.parseInt(escaped.slice(i + 1, i + 3), 16));
        i += 2;
      } else {
        bytes.push(escaped.charCodeAt(i));
      }
    }
    return Uint8Array.from(bytes);
  }
}

export class TextDecoder {
  decode(bytes: Uint8Array): string {
    let escaped = '';
    for (const byte of bytes) escaped += `%${byte.toString(16).padStart(2, '0')}`;
    return decodeURIComponent(escaped);
  }
}

export const process = { env: { NODE_ENV: 'development' } };

/** The sandbox has no threads. */
class NoSharedBuffer {
  get byteLength(): number {
    throw new TypeError('Not a shared buffer.');
  }
  get growable(): boolean {
    throw new TypeError('Not a shared buffer.');
  }
}

export { LastingRef as WeakRef, NoRegistry as FinalizationRegistry, NoSharedBuffer as SharedArrayBuffer };
