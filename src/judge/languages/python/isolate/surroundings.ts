import { furnishRealm } from '../../surroundings/realm.ts';
import { elapsed, installClock } from './clock.ts';

/** Gives the glue what it expects of its surroundings. */
export function installSurroundings(): void {
  installClock();
  furnishRealm();
  Object.assign(globalThis, { performance: { now: elapsed } });
}
