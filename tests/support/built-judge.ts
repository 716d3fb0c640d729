import { ensurePool } from '#src/judge/artifacts.ts';
import { POOLS } from '#src/judge/pools.ts';
import type { Pool } from '#src/judge/runner.ts';

/** Builds the judge before its tests, whose time it would otherwise take. */
export default async function buildPools(): Promise<void> {
  for (const pool of Object.keys(POOLS) as Pool[]) {
    const { problem } = await ensurePool(pool);
    if (problem) throw new Error(`the judge's ${pool} pool was not built: ${problem}`);
  }
}
