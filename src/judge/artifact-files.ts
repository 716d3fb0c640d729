import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Artifacts } from './runner.ts';

/**
 * The artifacts in a pool's folder, as a child reads them. `cold` leaves out what is bound to the engine (snapshots and
 * code caches, everything but scripts), for when the engine does not take it.
 */
export function artifactsIn(folder: string, cold: boolean): Artifacts {
  return {
    read(name) {
      if (cold && !name.endsWith('.js')) return null;
      const path = join(folder, name);
      return existsSync(path) ? readFileSync(path) : null;
    },
  };
}
