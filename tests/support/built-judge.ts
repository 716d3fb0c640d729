import { ensureLane } from '#src/judge/artifacts.ts';
import { LANES } from '#src/judge/lanes.ts';
import type { Lane } from '#src/judge/runner.ts';

/** Builds the judge before its tests, whose time it would otherwise take. */
export default async function buildLanes(): Promise<void> {
  for (const lane of Object.keys(LANES) as Lane[]) {
    const { problem } = await ensureLane(lane);
    if (problem) throw new Error(`the judge's ${lane} lane was not built: ${problem}`);
  }
}
