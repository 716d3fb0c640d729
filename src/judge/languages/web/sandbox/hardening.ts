import { strip } from '../../javascript/intrinsics.ts';

/** What has no meaning without a network. */
const NETWORKED = [
  'XMLHttpRequest',
  'XMLHttpRequestUpload',
  'XMLHttpRequestEventTarget',
  'WebSocket',
  'CloseEvent',
];

/** Takes off a sandbox's global scope what must not be there. Called when it is opened, since V8 gives some to every new context. */
export function harden(): void {
  strip();
  for (const name of NETWORKED) Reflect.deleteProperty(globalThis, name);
}
