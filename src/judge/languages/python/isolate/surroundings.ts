import { elapsed, installClock } from './clock.ts';
import { note } from './notes.ts';
import { getRandomValues } from './random.ts';
import { decodeUtf8, encodeUtf8 } from './utf8.ts';

/** Gives the glue what it expects of its surroundings; a bare isolate has none of it. */
export function installSurroundings(): void {
  installClock();
  Object.assign(globalThis, {
    performance: { now: elapsed },
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
    },
    crypto: { getRandomValues },
  });
}
