import { VirtualDate } from './clock.ts';
import { printLine, sandboxConsole } from './printing.ts';

/** The global scope of programs besides jsdom's window. Loaded before React, which looks at some of it once. */
Object.assign(globalThis, {
  IS_REACT_ACT_ENVIRONMENT: true,
  console: sandboxConsole,
  Date: VirtualDate,
  fetch: () => Promise.reject(new TypeError('There is no network here: fetch cannot load anything.')),
  alert: (text: unknown) => printLine(String(text)),
  confirm: () => true,
  prompt: () => null,
});
