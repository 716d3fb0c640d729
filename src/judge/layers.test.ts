import { expect, it } from 'vitest';
import { probe } from './layers.ts';

it('tells what a host lacks, and what that means, and judges without it', async () => {
  const { on, off, prefix } = await probe(['/nowhere']);
  expect(on).toEqual(["Node's permission model"]);
  expect(off.map(({ name }) => name)).toEqual([
    'no network (unshare)',
    'kernel limits (prlimit)',
    'no new privileges and death with the parent (setpriv)',
  ]);
  for (const { means } of off) expect(means).toMatch(/: (allow|install)/);
  expect(prefix(100)).toEqual([]);
});
