import { furnishRealm } from '../../surroundings/realm.ts';
import { elapsed, installClock } from './clock.ts';

export function installSurroundings(): void {
  installClock();
  furnishRealm();
  Object.assign(globalThis, { performance: { now: elapsed } });
}
