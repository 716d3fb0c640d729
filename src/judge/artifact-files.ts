import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Artifacts } from './runner.ts';

export function artifactsIn(folder: string, cold: boolean): Artifacts {
  return {
    read(name) {
      if (cold && !name.endsWith('.js')) return null;
      const path = join(folder, name);
      return existsSync(path) ? readFileSync(path) : null;
    },
  };
}
