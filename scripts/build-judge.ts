import { ensureLane } from '../src/judge/artifacts.ts';
import { LANES } from '../src/judge/lanes.ts';
import type { Lane } from '../src/judge/runner.ts';

/** Builds the judge's children, snapshots and code caches where sources, engine or packages have changed. */
export async function buildJudge(): Promise<void> {
  for (const lane of Object.keys(LANES) as Lane[]) {
    const { problem, tookMs } = await ensureLane(lane);
    if (tookMs !== null) console.log(`Built the judge's ${lane} lane in ${(tookMs / 1000).toFixed(1)} s`);
    if (problem) throw new Error(`The judge's ${lane} lane: ${problem}`);
  }
}

if (import.meta.main) await buildJudge();
