/**
 * Takes off a sandbox's global scope what its limits do not bound, and what has no meaning without a network. Called
 * when a sandbox is opened, since V8 gives some of it to every new context.
 */
const UNBOUNDED = ['WebAssembly', 'SharedArrayBuffer', 'Atomics', 'FinalizationRegistry'];
const NETWORKED = [
  'XMLHttpRequest',
  'XMLHttpRequestUpload',
  'XMLHttpRequestEventTarget',
  'WebSocket',
  'CloseEvent',
];

const NativeArrayBuffer = ArrayBuffer;

export function harden(): void {
  for (const name of [...UNBOUNDED, ...NETWORKED]) Reflect.deleteProperty(globalThis, name);
  for (const name of [
    'resize',
    'transfer',
    'transferToFixedLength',
    'transferToImmutable',
    'sliceToImmutable',
  ]) {
    Reflect.deleteProperty(NativeArrayBuffer.prototype, name);
  }
  // A buffer that may grow is outside the memory limit: its option is dropped.
  const fixed = new Proxy(NativeArrayBuffer, {
    construct: (target, [length], newTarget) => Reflect.construct(target, [length], newTarget),
  });
  Object.defineProperty(NativeArrayBuffer.prototype, 'constructor', { value: fixed });
  Object.defineProperty(globalThis, 'ArrayBuffer', { value: fixed, writable: true, configurable: true });
}
