import { furnishRealm } from '../../surroundings/realm.ts';

// Imported first: the library needs it while loading.
furnishRealm();
Object.assign(globalThis, { performance: { now: () => Date.now(), timeOrigin: 0 } });
