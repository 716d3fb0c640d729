import { JSDOM, VirtualConsole } from 'jsdom';

/**
 * The one window of a sandbox, made by jsdom while the snapshot is taken. A page's scripts and handler attributes never
 * run (decision 47), frames stay empty and nothing is loaded.
 */
const { window } = new JSDOM('<!doctype html><html><head></head><body></body></html>', {
  url: 'https://lesson.invalid/',
  pretendToBeVisual: true,
  virtualConsole: new VirtualConsole(),
});

// A context's global object gets a new identity when it comes out of a snapshot, which jsdom's tables keyed by window
// would not survive: so jsdom keeps a window of its own, and the global scope mirrors it.
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

/** Replaces the page. */
export function showPage(html: string): void {
  document.open();
  document.write(html);
  document.close();
}
