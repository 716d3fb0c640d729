import { installConsole, write } from '../../javascript/console.ts';
import { installClock } from '../../javascript/intrinsics.ts';

/** Before React, which looks at some of it once. */
installClock();
installConsole();
Object.assign(globalThis, {
  IS_REACT_ACT_ENVIRONMENT: true,
  fetch: () => Promise.reject(new TypeError('There is no network here: fetch cannot load anything.')),
  alert: (text: unknown) => write(String(text)),
  confirm: () => true,
  prompt: () => null,
});
