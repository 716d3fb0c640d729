import { text } from 'node:stream/consumers';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { ensurePool } from '#src/judge/artifacts.ts';
import type { SecondLayers } from '#src/judge/layers.ts';
import type { Pool } from '#src/judge/runner.ts';
import { spawnChild } from '#src/judge/worker.ts';

export const NO_LAYERS: SecondLayers = { prefix: () => [], on: [], off: [] };

/**
 * Starts a probe in the place of a pool's child, behind the same walls, and gives what it found. The plan lies beside it
 * as a file, since a child reads nothing else.
 */
export async function probeChild<Found>(
  pool: Pool,
  probe: 'process-probe' | 'realm-probe',
  plan: object,
  layers: SecondLayers,
  meanwhile?: (pid: number) => Promise<void>,
): Promise<Found> {
  const { folder } = await ensurePool(pool);
  const place = await mkdtemp(join(dirname(folder), 'probe-'));
  try {
    const entry = join(place, 'probe.mjs');
    await build({
      entryPoints: [join(import.meta.dirname, `${probe}.ts`)],
      outfile: entry,
      bundle: true,
      packages: 'external',
      // Languages of a probe make isolates whose contexts it knows.
      alias: { 'isolated-vm': join(import.meta.dirname, 'recording-library.ts') },
      platform: 'node',
      format: 'esm',
      target: 'node24',
      logLevel: 'silent',
    });
    await writeFile(join(place, 'plan.json'), JSON.stringify(plan));
    await chmod(place, 0o755);
    const child = spawnChild(pool, { folder, entry, cold: false }, layers);
    const answers = text(child.stdio[3] as NodeJS.ReadableStream);
    const complaint = text(child.stderr!);
    await meanwhile?.(child.pid!);
    const found = await answers;
    if (found === '') throw new Error(`the probe found nothing: ${await complaint}`);
    return JSON.parse(found) as Found;
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}
