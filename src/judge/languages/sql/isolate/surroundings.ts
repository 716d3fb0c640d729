import { furnishRealm } from '../../surroundings/realm.ts';

// Imported first: the library uses these while it is loaded.
furnishRealm();
Object.assign(globalThis, { performance: { now: () => Date.now(), timeOrigin: 0 } });
