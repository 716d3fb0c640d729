import { strip } from '../../javascript/intrinsics.ts';

const NETWORKED = [
  'XMLHttpRequest',
  'XMLHttpRequestUpload',
  'XMLHttpRequestEventTarget',
  'WebSocket',
  'CloseEvent',
];

/** When it is opened, since V8 gives some to every new context. */
export function harden(): void {
  strip();
  for (const name of NETWORKED) Reflect.deleteProperty(globalThis, name);
}
