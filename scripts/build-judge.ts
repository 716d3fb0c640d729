import { ensurePool } from '../src/judge/artifacts.ts';
import { POOLS } from '../src/judge/pools.ts';
import type { Pool } from '../src/judge/runner.ts';

/** Builds the judge's children, snapshots and code caches where sources, engine or packages have changed. */
export async function buildJudge(): Promise<void> {
  for (const pool of Object.keys(POOLS) as Pool[]) {
    const { problem, tookMs } = await ensurePool(pool);
    if (tookMs !== null) console.log(`Built the judge's ${pool} pool in ${(tookMs / 1000).toFixed(1)} s`);
    if (problem) throw new Error(`The judge's ${pool} pool: ${problem}`);
  }
}

if (import.meta.main) await buildJudge();
