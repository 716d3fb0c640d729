import { JSDOM, VirtualConsole } from 'jsdom';

/** Page scripts and handler attributes never run (decision 47), frames stay empty, nothing is loaded. */
const { window } = new JSDOM('<!doctype html><html><head></head><body></body></html>', {
  url: 'https://lesson.invalid/',
  pretendToBeVisual: true,
  virtualConsole: new VirtualConsole(),
});

// A global object changes its identity out of a snapshot, which jsdom's tables would not survive: jsdom has a
// window of its own, which the global scope mirrors.
const mirrored = Object.getOwnPropertyDescriptors(window) as Record<PropertyKey, PropertyDescriptor>;
for (const name of Reflect.ownKeys(mirrored)) {
  if (Object.hasOwn(globalThis, name)) continue;
  Object.defineProperty(globalThis, name, { ...mirrored[name], configurable: true });
}
// What a window inherits, and what events that bubble beyond the document reach.
for (const name of ['addEventListener', 'removeEventListener', 'dispatchEvent'] as const) {
  Object.defineProperty(globalThis, name, {
    value: window[name].bind(window),
    writable: true,
    configurable: true,
  });
}
for (const name of ['window', 'self', 'frames', 'parent', 'top']) {
  Object.defineProperty(globalThis, name, { value: globalThis, writable: true, configurable: true });
}

/** What React and event listeners report: errors that nobody caught. React takes this function when it is loaded. */
export const reported: unknown[] = [];
Object.defineProperty(globalThis, 'reportError', {
  value: (error: unknown) => {
    reported[reported.length] = error;
  },
  writable: true,
  configurable: true,
});

export function showPage(html: string): void {
  document.open();
  document.write(html);
  document.close();
}
