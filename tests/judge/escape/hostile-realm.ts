/** Looked for in every realm: what reaches out of an engine, under all names that hosts give it. */
const OUTWARD = [
  'process',
  'require',
  'module',
  'exports',
  'global',
  'Buffer',
  'WebAssembly',
  'SharedArrayBuffer',
  'Atomics',
  'Worker',
  'BroadcastChannel',
  'Deno',
  'Bun',
  'ivm',
  'importScripts',
];

const MODULES = [
  'node:fs',
  'fs',
  'node:net',
  'isolated-vm',
  './child.mjs',
  '/etc/passwd',
  'data:text/javascript,1',
];

/**
 * JavaScript that gives all that it can reach, as an object of texts. It follows every property and prototype from the
 * global object on, looks for the isolate library's own objects, and for texts that are secret.
 */
export const hostileRealm = (secrets: string[], port: number): string => `(async () => {
  const reached = [];
  for (const name of ${JSON.stringify(OUTWARD)}) if (typeof globalThis[name] !== 'undefined') reached.push(name);
  for (const name of ${JSON.stringify(MODULES)}) {
    try { await import(name); reached.push('import of ' + name); } catch {}
  }
  const makers = ['process', 'require', 'WebAssembly', 'SharedArrayBuffer'];
  const functions = [function () {}, async () => {}, function* () {}, globalThis.toString, Array.prototype.map];
  for (const from of functions) for (const name of makers) {
    try {
      if (typeof from.constructor('return typeof ' + name + ' === "undefined" ? undefined : ' + name)() !== 'undefined' &&
        from.constructor === (() => {}).constructor) reached.push(name + ' by a constructor');
    } catch {}
  }
  try { new XMLHttpRequest().open('GET', 'http://127.0.0.1:${port}/'); } catch {}
  try { const r = new XMLHttpRequest(); r.open('GET', 'http://127.0.0.1:${port}/', false); r.send(); reached.push('XMLHttpRequest'); } catch {}
  try { await fetch('http://127.0.0.1:${port}/'); reached.push('fetch'); } catch {}
  try { new WebSocket('ws://127.0.0.1:${port}/'); } catch {}
  try { const image = new Image(); image.src = 'http://127.0.0.1:${port}/'; document.body.append(image); } catch {}
  try { setTimeout(() => { globalThis.$fired = true; }, 0); } catch {}
  const secrets = ${JSON.stringify(secrets)};
  const seen = new Set([globalThis]);
  const queue = [globalThis];
  const ofLibrary = ['derefInto', 'applySync', 'copyInto', 'createContextSync', 'compileScriptSync'];
  while (queue.length > 0 && seen.size < 400000) {
    const at = queue.pop();
    let keys = [];
    try { keys = Reflect.ownKeys(at); } catch {}
    const next = [];
    try { next.push(Object.getPrototypeOf(at)); } catch {}
    for (const key of keys) {
      if (ofLibrary.includes(key)) reached.push('the isolate library: ' + key);
      try {
        const { value, get, set } = Object.getOwnPropertyDescriptor(at, key);
        next.push(value, get, set);
      } catch {}
    }
    for (const value of next) {
      if (typeof value === 'string') {
        for (const secret of secrets) if (value.includes(secret)) reached.push('a secret: ' + secret);
      } else if (value !== null && (typeof value === 'object' || typeof value === 'function') && !seen.has(value)) {
        seen.add(value);
        queue.push(value);
      }
    }
  }
  return { reached, objects: seen.size };
})()`;
